import CCurlTap
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// A stream of HTTP/2 is charged what it sent: libcurl gathers small frames, and drops what it has not sent when the
/// connection ends.
@Suite struct TapReaderHTTP2Tests {
    private enum Kind { static let data: UInt8 = 0, headers: UInt8 = 1, reset: UInt8 = 3, window: UInt8 = 8 }

    private static let preface = FrameBuilder.part(0, type: 0xFF, overhead: 24)
    private static let reset = FrameBuilder.part(1, type: Kind.reset, overhead: 13)
    private static let refusal = FrameBuilder.part(1, type: Kind.reset, down: true, overhead: 13)

    private static func head(_ stream: UInt32) -> wwt_http2_part {
        FrameBuilder.part(stream, type: Kind.headers, content: 34)
    }

    /// Begins a request of 9 + 34 bytes on that stream, after a preface of 24 bytes.
    private func begin(_ frames: inout FrameBuilder, _ stream: UInt32 = 1, connects: Int64 = 1) {
        frames.begin(UInt64(stream))
        frames.stream(stream, UInt64(stream))
        frames.request(UInt64(stream), connects: connects)
        frames.headOut(UInt64(stream), "GET /a HTTP/2\r\nHost: h\r\n\r\n")
        frames.http2((stream == 1 ? [Self.preface] : []) + [Self.head(stream)])
    }

    private func check(_ sink: RecordingSink, requests: [Int64], control: Int64) throws {
        #expect(sink.requests.map(\.size.known.bytes) == requests)
        let ledger = try #require(sink.connections.first?.ledger)
        #expect(ledger.up.http2 == control)
        #expect(ledger.isClosed, "\(ledger)")
    }

    @Test("a refused stream: the reset that answers it was never sent", arguments: [true, false])
    func refused(closesBeforeEnd: Bool) throws {
        let sink = try Hearing.of { frames in
            begin(&frames)
            frames.http2([Self.refusal, Self.reset])
            let tcp = FrameBuilder.tcp(sent: 24 + 43, received: 13, isOver: true)
            if closesBeforeEnd { frames.socketClosed(tcp: tcp) }
            frames.end(result: 92, tcp: closesBeforeEnd ? wwt_tcp() : tcp)
            if !closesBeforeEnd { frames.socketClosed(tcp: tcp) }
        }
        try check(sink, requests: [43], control: 24)
        #expect(sink.requests.first?.size.evidence == .captured)
        #expect(sink.requests.first?.size.fields == .captured(34))
    }

    @Test("whether the reset was sent is not known inside of TLS that nothing follows", arguments: [92, 0])
    func hidden(result: Int32) throws {
        let sink = try Hearing.of { frames in
            frames.begin(1)
            frames.stream(1, 1)
            frames.request(1, url: "https://h/a")
            frames.headOut(1, "GET /a HTTP/2\r\nHost: h\r\n\r\n")
            frames.http2([Self.preface, Self.head(1), Self.refusal, Self.reset])
            frames.end(result: result, url: "https://h/a", tcp: FrameBuilder.tcp(sent: 700, received: 800))
        }
        let size = try #require(sink.requests.first).size
        #expect(size.framing.evidence == (result == 0 ? .captured : .reconstructed))
        #expect(size.fields == .captured(34))
    }

    @Test("a refused stream whose request is sent again on another connection")
    func retried() throws {
        let sink = try Hearing.of { frames in
            begin(&frames)
            frames.http2([Self.refusal, Self.reset])
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 24 + 43, received: 13, isOver: true))
            frames.request(connects: 2, localPort: 5_001)
        }
        try check(sink, requests: [43], control: 24)
    }

    @Test("a reset that is sent after the exchange has ended belongs to the connection")
    func sentLater() throws {
        let sink = try Hearing.of { frames in
            begin(&frames)
            frames.http2([Self.reset])
            frames.end(how: WWT_END_REMOVED, tcp: FrameBuilder.tcp(sent: 24 + 43, received: 0))
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 24 + 43 + 13, received: 0, isOver: true))
        }
        try check(sink, requests: [43], control: 24 + 13)
    }

    @Test("frames of the connection that were not sent are not taken from a stream")
    func control() throws {
        let sink = try Hearing.of { frames in
            begin(&frames)
            frames.http2([FrameBuilder.part(0, type: Kind.window, overhead: 13)])
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 24 + 43, received: 0, isOver: true))
            frames.end(result: 56)
        }
        try check(sink, requests: [43], control: 24)
    }

    @Test("of two streams the one whose frames came last has sent less")
    func twoStreams() throws {
        let sink = try Hearing.of { frames in
            begin(&frames, 1)
            begin(&frames, 3, connects: 0)
            frames.http2([FrameBuilder.part(1, type: Kind.data, content: 91)])
            // Of the last 100 bytes 60 have left.
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 24 + 43 + 43 + 60, received: 0, isOver: true))
            frames.end(3, result: 56)
            frames.end(1, result: 56)
        }
        try check(sink, requests: [43 + 60, 43], control: 24)
    }
}
