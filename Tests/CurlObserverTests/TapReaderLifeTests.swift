import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// Frames of what runs, and of what never ended.
@Suite struct TapReaderLifeTests {
    @Test func aTransferThatRunsIsToldOnceForEachBatchAndReplaced() throws {
        let hearing = Hearing()
        var frames = FrameBuilder()
        frames.begin()
        frames.request()
        frames.headOut("POST /a HTTP/1.1\r\nContent-Length: 900\r\n\r\n")
        for bytes in stride(from: UInt64(100), through: 500, by: 100) { frames.body(out: true, bytes: bytes) }
        try hearing.take(frames.bytes)
        #expect(hearing.sink.events.count == 2)
        #expect(hearing.sink.requests.map(\.size.body) == [.captured(500)])
        var more = FrameBuilder()
        more.body(out: true, bytes: 900)
        more.headIn("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        try hearing.take(more.bytes)
        #expect(hearing.sink.requests.map(\.size.body) == [.captured(900)])
        #expect(hearing.sink.responses.map(\.status) == [200])
        #expect(hearing.sink.ends == [])
        try hearing.take([])
        #expect(hearing.sink.events.count == 4)
    }

    @Test func whatRunsWhenTheProcessIsGoneIsAbandoned() throws {
        let hearing = Hearing()
        var frames = FrameBuilder()
        frames.exchange(1)
        frames.begin(2)
        frames.request(2)
        frames.headOut(2, "GET /b HTTP/1.1\r\n\r\n")
        frames.headIn(2, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n")
        frames.body(2, bytes: 4)
        frames.begin(3)
        try hearing.take(frames.bytes)
        hearing.reader.finish(at: 9_000)
        hearing.reader.finish(at: 9_999)
        #expect(hearing.sink.ends.map(\.outcome) == [.completed, .abandoned])
        #expect(hearing.sink.ends.last?.endedAt == Timestamp(nanoseconds: 1_009_000))
        #expect(hearing.sink.responses.last?.size.body == .captured(4))
    }

    @Test func whatComesTogetherIsToldInTheOrderInWhichItWasSent() throws {
        let sink = try Hearing.of { frames in
            for (number, path) in [(9, "first"), (3, "second"), (5, "third")] as [(UInt64, String)] {
                frames.begin(number)
                frames.request(number)
                frames.headOut(number, "GET /\(path) HTTP/1.1\r\n\r\n")
            }
            for number in [3, 9] as [UInt64] {
                frames.headIn(number, "HTTP/1.1 204 No Content\r\n\r\n")
                frames.end(number)
            }
        }
        #expect(sink.requests.map(\.path) == ["/first", "/second", "/third"])
        #expect(sink.ends.map(\.exchange) == sink.requests.prefix(2).map(\.exchange))
    }

    @Test func aNumberThatBeginsAnewEndsTheOneBefore() throws {
        let sink = try Hearing.of { frames in
            frames.begin(1)
            frames.request(1)
            frames.headOut(1, "GET /a HTTP/1.1\r\n\r\n")
            frames.exchange(1)
        }
        #expect(sink.ends.map(\.outcome) == [.abandoned, .completed])
    }

    /// Moments come from several threads; a later frame may carry an earlier one.
    @Test func timingsAreNeverNegative() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 9_000)
            frames.request(at: 8_000, times: FrameBuilder.times(queue: 5, dns: 9, connect: 3, tls: 1))
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: 2_000, "HTTP/1.1 200 OK\r\n\r\n")
            frames.body(bytes: 1, first: 1, last: 2)
            frames.request(at: 1_000, connects: 2, times: FrameBuilder.times(queue: 2, dns: 1, connect: 1, tls: 0))
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.end(at: 500, connects: 2)
        }
        #expect(sink.ends.count == 2)
        for (request, end) in zip(sink.requests, sink.ends) {
            #expect(Exchange(request: request, end: end).timeFaults == [])
        }
    }
}
