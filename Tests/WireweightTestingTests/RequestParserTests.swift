import TestSupport
import Testing

@testable import TrafficOrigin
@testable import WireweightTesting

@Suite("The referee's request parser")
struct RequestParserTests {
    /// Feeds the text in pieces of that size; returns the parser and what it left.
    private func parse(_ text: String, pieces: Int) -> (RequestParser, Int) {
        var parser = RequestParser(bodyLimit: 1_000)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty, !parser.isDone {
            let taken = parser.consume(rest.prefix(pieces))
            rest = rest.dropFirst(taken)
        }
        return (parser, rest.count)
    }

    @Test("counts the parts of a request with a body, however it is cut", arguments: [1, 2, 3, 7, 1_000])
    func identity(pieces: Int) {
        let (parser, left) = parse(
            "POST /a?b=c HTTP/1.1\r\nHost: x\r\ncookie: a=b\r\nContent-Length: 5\r\n\r\nhelloGET ", pieces: pieces)
        #expect(parser.bytes == MessageBytes(startLine: 22, fields: 9 + 13 + 19 + 2, cookies: 13, body: 5))
        #expect(parser.request?.target == "/a?b=c")
        #expect(text(parser.body.kept) == "hello")
        #expect(parser.isDone)
        #expect(left >= 4)
    }

    @Test("takes chunks apart, with extensions and trailers", arguments: [1, 2, 5, 1_000])
    func chunked(pieces: Int) {
        let (parser, _) = parse(
            "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"b\"\r\nhello\r\n00A\r\n0123456789\r\n0\r\nX: y\r\n\r\n",
            pieces: pieces)
        #expect(parser.bytes == MessageBytes(startLine: 16, fields: 30, body: 15, framing: 9 + 2 + 5 + 2 + 3 + 6 + 2))
        #expect(text(parser.body.kept) == "hello0123456789")
        #expect(parser.isDone)
    }

    @Test("counts what came of a request that was cut")
    func cut() {
        #expect(parse("GET /unfin", pieces: 4).0.bytes == MessageBytes(startLine: 10))
        #expect(parse("GET / HTTP/1.1\r\nHos", pieces: 4).0.bytes == MessageBytes(startLine: 16, fields: 3))
        let (parser, _) = parse("POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc", pieces: 4)
        #expect(parser.bytes == MessageBytes(startLine: 17, fields: 21, body: 3))
        #expect(!parser.isDone)
    }

    @Test("skips an empty line before the request line")
    func emptyLineFirst() {
        let (parser, _) = parse("\r\nGET / HTTP/1.1\r\n\r\n", pieces: 1)
        #expect(parser.bytes == MessageBytes(startLine: 16, fields: 2, framing: 2))
        #expect(parser.isDone)
    }
}
