import CCurlTap
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// Numbers in frames are anybody's: none may overflow.
@Suite struct TapReaderBoundsTests {
    /// A transfer that ends well at those moments, of which libcurl's clock says that it took a second.
    private func transfer(from begin: UInt64, to end: UInt64) throws -> RecordingSink {
        try Hearing.of { frames in
            frames.begin(at: begin)
            frames.request(at: begin)
            frames.headOut(at: begin, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: end, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            frames.body(bytes: 5, first: end, last: end)
            frames.end(at: end, headerSize: 38, times: FrameBuilder.times(total: 1_000_000))
        }
    }

    /// The moment at which libcurl's clock says that it was over is beyond the last there is.
    @Test func aTransferAtTheEndOfTimeEnds() throws {
        let sink = try transfer(from: .max - 5_000, to: .max - 1_000)
        #expect(sink.ends.map(\.outcome) == [.completed])
        #expect(sink.ends.map(\.timings.total) == [4_000])
        #expect(sink.requests.last?.startedAt == Timestamp(nanoseconds: .max))
        #expect(sink.ends.last?.endedAt == Timestamp(nanoseconds: .max))
    }

    @Test func aTransferThatTakesAllOfTimeEnds() throws {
        let sink = try transfer(from: 0, to: .max)
        #expect(sink.ends.map(\.timings.total) == [.max])
        #expect(sink.requests.last?.startedAt == Timestamp(nanoseconds: 1_000_000))
        #expect(sink.ends.last?.endedAt == Timestamp(nanoseconds: .max))
    }

    @Test func timeMayRunBackwards() throws {
        let sink = try transfer(from: .max, to: 0)
        #expect(sink.ends.map(\.timings.total) == [0])
        #expect(sink.ends.last.map { $0.endedAt >= Timestamp(nanoseconds: .max) } == true)
    }

    @Test func aConnectionThatIsClosedAtTheEndOfTimeIsClosedThen() throws {
        let sink = try Hearing.of { frames in
            frames.exchange(1)
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: .max, received: .max), at: .max)
        }
        #expect(sink.connections.last?.closedAt == Timestamp(nanoseconds: .max))
        #expect(sink.connections.last?.payloadUp == ByteCount(1 << 50))
    }
}
