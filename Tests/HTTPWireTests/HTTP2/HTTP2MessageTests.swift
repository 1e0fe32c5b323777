import HTTPWire
import Testing
import TrafficModel

/// The parts of a message that HTTP/2 carries.
@Suite struct HTTP2MessageTests {
    private func message(_ pieces: (HTTP2Piece.Kind, ByteCount, ByteCount)...) -> HTTP2Message {
        var message = HTTP2Message()
        for (kind, overhead, content) in pieces {
            message.add(HTTP2Piece(stream: 1, kind: kind, begins: true, overhead: overhead, content: content))
        }
        return message
    }

    @Test("fields are HPACK's bytes, framing is all around, and nothing is a start line")
    func parts() {
        let size = message((.headers, 9, 30), (.continuation, 9, 5), (.data, 14, 100), (.data, 9, 20), (.other, 13, 0))
            .size()
        #expect(size.startLine == .captured(0))
        #expect(size.fields == .captured(35))
        #expect(size.body == .captured(120))
        #expect(size.framing == .captured(18 + 23 + 13))
        #expect(size.total == ByteCount(35 + 120 + 54))
        #expect(size.evidence == .captured)
    }

    @Test("interim responses are whole, trailers are framing")
    func sections() {
        let all = message((.headers, 9, 3), (.headers, 9, 40), (.data, 9, 10), (.headers, 9, 7))
        let size = all.size(interim: 1)
        #expect(size.interim == .captured(12))
        #expect(size.fields == .captured(40))
        #expect(size.body == .captured(10))
        #expect(size.framing == .captured(9 + 9 + 16))
        #expect(size.total == all.bytes)
    }

    @Test("a header section that comes in pieces is one")
    func split() {
        var message = HTTP2Message()
        message.add(HTTP2Piece(stream: 1, kind: .headers, begins: true, overhead: 9, content: 2))
        message.add(HTTP2Piece(stream: 1, kind: .headers, begins: false, overhead: 0, content: 8))
        #expect(message.sections == [.init(overhead: 9, content: 10)])
    }

    @Test("what the cookies take of a compressed section is an estimate, the rest is not")
    func cookies() {
        let size = message((.headers, 9, 40)).size(cookieShare: 0.25)
        #expect(size.cookies == .init(10, .reconstructed))
        #expect(size.evidence == .captured)
    }

    @Test("a stream of nothing but header sections keeps few of them, and all their bytes")
    func manySections() {
        var message = HTTP2Message()
        for _ in 0..<1_000 {
            message.add(HTTP2Piece(stream: 1, kind: .headers, begins: true, overhead: 9, content: 1))
        }
        #expect(message.sections.count == 32)
        #expect(message.size(interim: 3).total == 10_000)
    }
}
