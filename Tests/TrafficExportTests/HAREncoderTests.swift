import Foundation
import Testing
import TrafficModel
import TrafficPipeline
import WireweightTesting

@testable import TrafficExport

@Suite("HAR")
struct HAREncoderTests {
    @Test("sizes follow the format's rules: head with start line, body as received, content as decoded")
    func sizes() throws {
        let request = Sample.request(
            method: "POST",
            size: WireSize(startLine: .captured(25), fields: .captured(100), body: .captured(40), framing: .captured(9))
        )
        let response = Sample.response(
            coding: "gzip",
            size: WireSize(
                startLine: .captured(17), fields: .captured(80), interim: .captured(25), body: .captured(300),
                framing: .captured(12)),
            decoded: .init(1_000, .reported))
        let store = try Store([.request(request), .response(response), .end(Sample.end())])
        let entry = try #require(try store.entries().first)
        #expect(entry["request"]["headersSize"].int == 125)
        #expect(entry["request"]["bodySize"].int == 40)
        #expect(entry["response"]["headersSize"].int == 97)
        #expect(entry["response"]["bodySize"].int == 300)
        #expect(entry["response"]["content"]["size"].int == 1_000)
        #expect(entry["response"]["content"]["compression"].int == 700)
        #expect(entry["response"]["_transferSize"].int == 434)
        #expect(entry["_wireweight"]["response"]["framing"].int == 12)
        #expect(entry["_wireweight"]["response"]["interim"].int == 25)
        #expect(entry["_wireweight"]["request"]["evidence"].string == "captured")
    }

    @Test("what is not known is -1, and never 0")
    func unknown() throws {
        let request = Sample.request(size: .unknown)
        let response = Sample.response(
            coding: "br", size: WireSize(startLine: .captured(17), fields: .unknown, body: .captured(10)))
        let store = try Store([.request(request), .response(response), .end(Sample.end())])
        let entry = try #require(try store.entries().first)
        #expect(entry["request"]["headersSize"].int == -1)
        #expect(entry["request"]["bodySize"].int == -1)
        #expect(entry["response"]["headersSize"].int == -1)
        #expect(entry["response"]["content"]["size"].int == -1)
        #expect(entry["response"]["content"]["compression"].value == nil)
        #expect(entry["response"]["_transferSize"].value == nil)
    }

    @Test(
        "a request without a response has the status 0 and says why",
        arguments: [
            (
                ExchangeEnd.Outcome.failed(ExchangeFailure(.libcurl, code: 7, message: "could not connect")),
                "could not connect"
            ),
            (.cancelled, "cancelled"), (.timedOut, "timed out"), (.abandoned, "abandoned"), (nil, "running"),
        ])
    func unanswered(_ outcome: ExchangeEnd.Outcome?, _ error: String) throws {
        var events: [TrafficEvent] = [.request(Sample.request())]
        if let outcome {
            events.append(.end(Sample.end(1, outcome, timings: ExchangeTimings(dns: 1_000_000, total: 9_000_000))))
        }
        let store = try Store(events)
        let entry = try #require(try store.entries().first)
        #expect(entry["response"]["status"].int == 0)
        #expect(entry["response"]["_error"].string == error)
        #expect(entry["response"]["headersSize"].int == -1)
        #expect(entry["response"]["content"]["size"].int == 0)
        // What no phase explains was waiting for the answer.
        #expect(entry["timings"]["wait"].double == (outcome == nil ? 0 : 8))
        #expect(try HARShape(store.export(.har)).faults == [])
    }

    @Test("a response that was cut has its status, its bytes and the error")
    func cut() throws {
        let store = try Store([
            .request(Sample.request()), .response(Sample.response()),
            .end(Sample.end(1, .failed(ExchangeFailure(.libcurl, code: 18, message: "transfer closed")))),
        ])
        let entry = try #require(try store.entries().first)
        #expect(entry["response"]["status"].int == 200)
        #expect(entry["response"]["bodySize"].int == 512)
        #expect(entry["response"]["_error"].string == "transfer closed")
    }

    @Test("the phases: TLS is within connect, and the attempt began before the first byte")
    func timings() throws {
        let store = try Store(Sample.exchange())
        let entry = try #require(try store.entries().first)
        let timings = entry["timings"]
        #expect(timings["dns"].double == 5)
        #expect(timings["connect"].double == 30)
        #expect(timings["ssl"].double == 20)
        #expect(timings["blocked"].double == -1)
        #expect(entry["time"].double == 85)
        // It ended at 1,050 ms and took 85.
        #expect(entry["startedDateTime"].string == "2026-01-01T00:00:00.965000Z")
    }

    @Test("a store of many kinds of exchanges makes an archive that the format's rules allow")
    func shape() throws {
        var events: [TrafficEvent] = []
        let fields = [
            "Set-Cookie: sid=abc; Path=/; Domain=x.test; Secure; HttpOnly; Expires=Thu, 01 Jan 2026 00:00:00 GMT",
            "set-cookie: b", "X-Folded: one\r\n two", "no colon at all", "Location: /next", ": odd",
        ]
        events += [
            .request(
                Sample.request(
                    1, query: "a=1&b&=c&d==", fields: ["Host: api.test", "Cookie: a=1; b=2", "cookie: c"])),
            .response(Sample.response(1, status: 302, fields: fields)), .end(Sample.end(1)),
        ]
        events += [
            .request(Sample.request(2, method: "", host: "", size: .nothing)),
            .end(Sample.end(2, .failed(ExchangeFailure(.libcurl, code: 6, message: "")), timings: ExchangeTimings())),
            .request(Sample.request(3, path: "/\u{1B}[2J\u{2028}\"\\", size: .unknown)),
        ]
        events += Sample.exchange(4)
        let store = try Store(events)
        let text = try store.export(.har)
        #expect(try HARShape(text).faults == [])
        let entries = try JSON(text)["log"]["entries"].array
        #expect(entries.count == 4)
        #expect(entries[0]["request"]["queryString"].array.count == 4)
        #expect(entries[0]["request"]["cookies"].array.count == 3)
        #expect(entries[0]["response"]["redirectURL"].string == "/next")
        #expect(entries[0]["response"]["headers"][2]["value"].string == "one two")
        #expect(entries[0]["response"]["cookies"][0]["httpOnly"].value as? Bool == true)
    }

    @Test("an empty store makes an archive without entries")
    func empty() throws {
        let text = try Store().export(.har)
        #expect(try HARShape(text).faults == [])
        #expect(try JSON(text)["log"]["entries"].array.isEmpty)
    }

    @Test("secrets are not in it")
    func secrets() throws {
        let store = try Store([
            .request(
                Sample.request(
                    query: "token=s3cr3tQuery",
                    fields: ["Authorization: Bearer s3cr3tBearer", "Cookie: a=s3cr3tCookie"])),
            .response(Sample.response(fields: ["Set-Cookie: b=s3cr3tSetCookie"])), .end(Sample.end()),
        ])
        for format in ExportFormat.allCases { #expect(try !store.export(format).contains("s3cr3t")) }
    }

    // MARK: Bodies

    private func content(
        _ kept: [UInt8], coding: String = "", size: Int? = nil, includesBodies: Bool = true
    ) throws -> JSON {
        let wire = WireSize(startLine: .captured(17), fields: .captured(60), body: .captured(size ?? kept.count))
        // What cannot be looked into is kept only where secrets in bodies may be.
        let redactor = Redactor(keepsBodySecrets: true)
        let events: [TrafficEvent] = [
            .request(Sample.request()), .response(Sample.response(coding: coding, size: wire, body: kept)),
            .end(Sample.end()),
        ]
        let store = try Store(events, redactor: redactor)
        let text = try store.export(.har) { $0.includesBodies = includesBodies }
        #expect(try HARShape(text).faults == [])
        return try JSON(text)["log"]["entries"][0]["response"]["content"]
    }

    @Test("bodies that were kept are text where they are UTF-8, else Base64, and only when asked for")
    func bodies() throws {
        let text = try content(Array("grüße".utf8))
        #expect(text["text"].string == "grüße")
        #expect(text["encoding"].value == nil)
        let binary = try content([0xFF, 0x00, 0x80])
        #expect(binary["text"].string == "/wCA")
        #expect(binary["encoding"].string == "base64")
        #expect(try content([0x41], includesBodies: false)["text"].value == nil)
    }

    @Test("content codings are undone", arguments: [CodedContent.gzip, .deflate])
    func decoded(_ content: CodedContent) throws {
        let text = try self.content(content.bytes, coding: content.rawValue)["text"].string
        #expect(text == String(decoding: CodedContent.text, as: UTF8.self))
    }

    @Test("a body of which only the start was kept says so, also if it is compressed")
    func truncated() throws {
        let plain = try content(Array("abc".utf8), size: 1_000)
        #expect(plain["text"].string == "abc")
        #expect(plain["comment"].string == "of 1000 bytes the first 3 were kept")
        let gzip = CodedContent.gzip.bytes
        let coded = try content(Array(gzip.prefix(gzip.count / 2)), coding: "gzip", size: gzip.count)
        let text = try #require(coded["text"].string)
        #expect(text.utf8.count > 100)
        #expect(CodedContent.text.starts(with: text.utf8))
        #expect(coded["comment"].string?.contains("were kept") == true)
    }

    @Test("a coding that cannot be undone leaves the text out")
    func undecodable() throws {
        let content = try content(CodedContent.brotli.bytes, coding: "br")
        #expect(content["text"].value == nil)
        #expect(content["comment"].string?.contains("br") == true)
    }

    @Test("a request's body is in postData")
    func postData() throws {
        let size = WireSize(startLine: .captured(25), fields: .captured(31), body: .captured(7))
        let store = try Store([
            .request(
                Sample.request(
                    method: "POST", fields: ["Content-Type: application/json"], size: size,
                    body: Array("{\"a\":1}".utf8))), .end(Sample.end()),
        ])
        let post = try store.entries { $0.includesBodies = true }[0]["request"]["postData"]
        #expect(post["text"].string == "{\"a\":1}")
        #expect(post["mimeType"].string == "application/json")
        #expect(try store.entries()[0]["request"]["postData"].value == nil)
    }
}
