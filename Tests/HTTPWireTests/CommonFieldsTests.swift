import TestSupport
import Testing
import TrafficModel

@testable import HTTPWire

/// One pass over the lines finds what a search for each name finds.
@Suite struct CommonFieldsTests {
    @Test("The common fields are those that a search by name finds, in any spelling", arguments: 0..<20)
    func sameAsSearch(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let names = [
            "Content-Length", "content-type", "Content-Encoding", "Transfer-Encoding", "Cookie", "SET-COOKIE",
            "Cookies",
            "Content-Language", "c", " Cookie", "Content-Length ", "Set-Cookie2", "T", "Content-Typ", "Connection",
        ]
        let values = [
            "5", "5", "005", "5, 5", "6", "99999999999999999999", "1234567890123456789", "+5", "", " ", "chunked",
            "Chunked ",
            "gzip, chunked", "chunked;a=b", "identity", ",", "text/html; charset=x", "a=b", "5\r\n 5", "chunked\r\n ",
        ]
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                text += names.randomElement(using: &random)! + [":", ": ", " : ", ""].randomElement(using: &random)!
                text +=
                    values.randomElement(using: &random)! + ["\r\n", "\n", "\r\n", ""].randomElement(using: &random)!
            }
            let fields = FieldSection(bytes: Array(text.utf8))
            let common = CommonFields(fields)
            func value(_ range: Range<Int>?) -> String? {
                range.map { String(decoding: fields.bytes[$0], as: UTF8.self) }
            }
            let comment = Comment(rawValue: text.debugDescription)
            #expect(common.contentLength == fields.contentLength, comment)
            #expect(common.namesTransferCoding == fields.namesTransferCoding, comment)
            #expect(common.namesChunked == fields.namesChunked, comment)
            #expect(value(common.contentType) == fields.firstValue(of: "Content-Type"), comment)
            #expect(value(common.contentEncoding) == fields.firstValue(of: "Content-Encoding"), comment)
            #expect(common.cookieSize == fields.size(ofLinesNamed: "Cookie"), comment)
            #expect(common.setCookieSize == fields.size(ofLinesNamed: "Set-Cookie"), comment)
        }
    }

    @Test(
        "The media type has neither parameters nor spaces, and is in lower case",
        arguments: [
            ("Content-Type: Text/HTML; charset=UTF-8\r\n", "text/html"), ("Content-Type:a / B\r\n", "a/b"),
            ("Content-Type: ;a\r\n", ""), ("A: b\r\n", ""), ("Content-Type: É/Ü;a\r\n", "é/ü"),
            ("Content-Type: a/b\r\nContent-Type: c/d\r\n", "a/b"),
        ])
    func mediaType(fields: String, expected: String) {
        #expect(HeadLines(bytes("HTTP/1.1 200 OK\r\n" + fields + "\r\n")[...]).mediaType == expected)
    }

    // A status is digits of a number below 1,000, as for HTTP1Scanner.
    @Test(
        "A status line's words are split at spaces, of which there may be several",
        arguments: [
            ("HTTP/1.1 200 OK", "1.1", 200, "OK"), ("HTTP/1.1  404   Not  Found", "1.1", 404, "  Not  Found"),
            ("HTTP/2 204", "2", 204, ""), ("HTTP/1.1", "1.1", 0, ""), ("HTTP/1.1 20x OK", "1.1", 0, "OK"),
            ("HTTP/1.0 +20 No", "1.0", 0, "No"), ("HTTP/1.1 0200 OK", "1.1", 200, "OK"),
            ("HTTP/1.1 70000 OK", "1.1", 0, "OK"), ("HTTP/ 200 É", "", 200, "É"),
            ("HTTP/1.1 999 a", "1.1", 999, "a"), ("HTTP/1.1 1000 a", "1.1", 0, "a"),
            ("HTTP/1.1 200\tOK", "1.1", 200, "OK"), ("HTTP/1.1 200\rOK", "1.1", 200, "OK"),
        ])
    func statusLine(line: String, version: String, status: Int, reason: String) {
        let head = ResponseHeads.Head(bytes(line + "\r\n\r\n")[...])
        #expect(head.httpVersion == version)
        #expect(head.status == status)
        #expect(head.reason == reason)
    }

    @Test("A URL from a known origin is split as any other, and no other URL is taken for one from it")
    func origins() throws {
        let urls = [
            "http://h/a?b#c", "http://h", "http://h?b", "http://h#c?d/e", "HTTP://H:80/a", "http://h:81/",
            "http://hh/a", "http://h:/a",
            "http://h@i/a", "http://h/@a", "https://h/a", "http://[::1]:8080/a?b=c?d", "http://h/a#b?c", "x://h/",
            "http:///a",
        ]
        for url in urls {
            let target = try #require(RequestTarget(url: url))
            guard let origin = RequestTarget.Origin(url, target) else { continue }
            for other in urls {
                guard let parsed = RequestTarget(url: other, from: origin) else { continue }
                #expect(parsed == RequestTarget(url: other), "\(other) from \(url)")
            }
            #expect(RequestTarget(url: url, from: origin) == target)
        }
        let secret = "http://user:password@h/a"
        #expect(RequestTarget.Origin(secret, try #require(RequestTarget(url: secret))) == nil)
    }

    @Test("The bytes of a request line's target count, although those of the URL are equivalent in Unicode")
    func equivalentTarget() throws {
        for (url, line) in [("/a\u{327}\u{301}", "/a\u{301}\u{327}"), ("/?a\u{327}\u{301}", "/?a\u{301}\u{327}")] {
            var target = try #require(RequestTarget(url: "http://h" + url))
            target.take(requestLineTarget: line)
            #expect(Array((target.path + (target.query.map { "?" + $0 } ?? "")).utf8) == Array(line.utf8))
        }
    }

    @Test(
        "The target of a request line replaces path and query, also where they are nearly the same",
        arguments: ["/a?b", "/a", "/a?", "/a?c", "/a/b", "/ab", "/a?b?", "*", ""])
    func requestLine(text: String) throws {
        for url in ["http://h/a?b", "http://h/a", "http://h/a?", "http://h"] {
            var target = try #require(RequestTarget(url: url))
            target.take(requestLineTarget: text)
            let expected = text.isEmpty ? url : text == "*" ? "" : "http://h" + text
            if text == "*" {
                #expect(target.path == "*" && target.query == nil)
            } else {
                #expect(target == RequestTarget(url: expected))
            }
        }
    }
}
