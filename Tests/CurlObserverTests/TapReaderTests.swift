import CCurlTap
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// What becomes of frames.
@Suite struct TapReaderTests {
    @Test func anExchangeIsARequestAResponseAnEndAndAConnection() throws {
        let sink = try Hearing.of { $0.exchange() }
        let request = try #require(sink.requests.first)
        #expect(request.method == "GET")
        #expect(request.url == "http://h/a?b")
        #expect(request.size == WireSize(startLine: .captured(19), fields: .captured(11)))
        #expect(request.startedAt == Timestamp(nanoseconds: 1_001_000))
        #expect(request.sentAt == Timestamp(nanoseconds: 1_002_000))
        let response = try #require(sink.responses.first)
        #expect(response.status == 200)
        #expect(response.size == WireSize(startLine: .captured(17), fields: .captured(21), body: .captured(5)))
        #expect(response.bodyDigest == 11)
        #expect(response.decodedBody == .captured(5))
        #expect(sink.ends.map(\.outcome) == [.completed])
        #expect(sink.ends.first?.remoteAddress == "10.0.0.1:80")
        #expect(sink.connections.map(\.remoteAddress) == ["10.0.0.1:80"])
        #expect(sink.ends.first?.connection == sink.connections.first?.connection)
    }

    /// libcurl follows redirects inside one transfer; its counters add up over the attempts.
    @Test func aRedirectInsideATransferIsATaskOfTwoAttemptsWithTheirOwnTimes() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.request(at: 50_000, times: FrameBuilder.times(dns: 10, connect: 30))
            frames.headOut(at: 50_000, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(at: 60_000, "HTTP/1.1 302 Found\r\nLocation: http://other/b\r\n\r\n")
            frames.request(
                at: 140_000, url: "http://other/b", connects: 2, headerSize: 48, localPort: 5_001,
                times: FrameBuilder.times(dns: 15, connect: 80))
            frames.headOut(at: 140_000, "GET /b HTTP/1.1\r\n\r\n")
            frames.headIn(at: 150_000, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(
                at: 160_000, headerSize: 75, connects: 2, localPort: 5_001, url: "http://other/b",
                times: FrameBuilder.times(dns: 15, connect: 80, total: 157))
        }
        #expect(sink.requests.map(\.url) == ["http://h/a", "http://other/b"])
        #expect(sink.requests.map(\.resendCount) == [0, 1])
        #expect(sink.requests[1].task == sink.requests[0].exchange)
        #expect(sink.responses.map(\.status) == [302, 204])
        #expect(sink.ends.map(\.outcome) == [.completed, .completed])
        // 10 µs of lookup, then 20 µs of handshake; then 5 µs and 45 µs.
        #expect(sink.ends.map(\.timings.dns) == [10_000, 5_000])
        #expect(sink.ends.map(\.timings.connect) == [20_000, 45_000])
        #expect(sink.ends[0].connection != sink.ends[1].connection)
        // The second begins where the first ends, and its time before the request is its own lookup and handshake, and
        // the rest of it.
        #expect(sink.requests.map(\.startedAt.nanoseconds) == [1_001_000, 1_060_000])
        #expect(sink.requests.map(\.sentAt?.nanoseconds) == [1_050_000, 1_140_000])
        #expect(sink.ends.map(\.endedAt.nanoseconds) == [1_060_000, 1_158_000])
        #expect(sink.ends.map(\.timings.queue) == [19_000, 30_000])
        #expect(sink.ends.map(\.timings.wait) == [10_000, 10_000])
        #expect(sink.ends.map(\.timings.unattributed) == [0, 8_000])
    }

    @Test func aRedirectThatTheProgramFollowsIsLinkedByItsHandle() throws {
        let sink = try Hearing.of { frames in
            frames.begin(1, handle: 7)
            frames.request(1)
            frames.headOut(1, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(1, "HTTP/1.1 301 Moved\r\nLocation: /b?c\r\n\r\n")
            frames.end(1, at: 3_500)
            frames.begin(2, handle: 7, at: 3_600)
            frames.request(2, at: 3_700, url: "http://h/b?c", connects: 0)
            frames.headOut(2, at: 3_700, "GET /b?c HTTP/1.1\r\n\r\n")
            frames.headIn(2, "HTTP/1.1 200 OK\r\n\r\n")
            frames.end(2, connects: 0)
            // The same URL once more, but nothing leads there now.
            frames.begin(3, handle: 7)
            frames.request(3, url: "http://h/b?c", connects: 0)
            frames.headOut(3, "GET /b?c HTTP/1.1\r\n\r\n")
            frames.end(3, connects: 0)
            // Another handle.
            frames.begin(4, handle: 8)
            frames.request(4, url: "http://h/b?c", connects: 0)
            frames.headOut(4, "GET /b?c HTTP/1.1\r\n\r\n")
            frames.end(4, connects: 0)
        }
        #expect(sink.requests.map(\.task.rawValue) == [1, 1, 3, 4])
        #expect(sink.requests.map(\.resendCount) == [0, 1, 0, 0])
    }

    @Test func aChallengeThatTheProgramAnswersIsLinkedByItsHandle() throws {
        let sink = try Hearing.of { frames in
            frames.begin(1)
            frames.request(1)
            frames.headOut(1, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(1, "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\n\r\n")
            frames.end(1)
            frames.begin(2)
            frames.request(2, connects: 0)
            frames.headOut(2, "GET /a HTTP/1.1\r\nAuthorization: Basic eA==\r\n\r\n")
            frames.headIn(2, "HTTP/1.1 200 OK\r\n\r\n")
            frames.end(2, connects: 0)
        }
        #expect(sink.requests.map(\.task.rawValue) == [1, 1])
        #expect(sink.requests.map(\.resendCount) == [0, 1])
    }

    @Test func aRequestThatIsSentAgainOnANewConnectionIsAHopAfterAFailure() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(connects: 0)
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.request(at: 3_000, connects: 1, localPort: 5_001)
            frames.headOut(at: 3_000, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 200 OK\r\n\r\n")
            frames.end(localPort: 5_001)
        }
        guard sink.ends.first?.outcome.failure?.code == 52 else {
            Issue.record("the first attempt has no failure")
            return
        }
        #expect(sink.ends.last?.outcome == .completed)
        #expect(sink.requests.map(\.resendCount) == [0, 1])
        #expect(sink.responses.map(\.exchange.rawValue) == [2])
        #expect(sink.ends.map(\.reusedConnection) == [true, false])
    }

    @Test func anAttemptThatSentNothingIsARequestOfNoBytes() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.end(
                at: 4_000, result: 7, connects: 0, localPort: 0, remotePort: 0, url: "http://h:81/x?y", remote: "",
                error: "Couldn't connect", times: FrameBuilder.times(total: 3))
        }
        #expect(sink.requests.map(\.size) == [.nothing])
        #expect(sink.requests.map(\.url) == ["http://h:81/x?y"])
        #expect(sink.responses == [])
        #expect(sink.connections == [])
        #expect(sink.ends.map(\.outcome) == [.failed(ExchangeFailure(.libcurl, code: 7, message: "Couldn't connect"))])
        #expect(sink.ends.first?.timings.total == 3_000)
        #expect(sink.ends.first?.connection == nil)
    }

    @Test(
        arguments: [
            (WWT_END_DONE, 28, ExchangeEnd.Outcome.timedOut), (WWT_END_DONE, 42, .cancelled),
            (WWT_END_REMOVED, 0, .cancelled), (WWT_END_STOPPED, 0, .abandoned),
            (WWT_END_DONE, 56, .failed(ExchangeFailure(.libcurl, code: 56, message: "reset"))),
        ] as [(wwt_end_how, Int32, ExchangeEnd.Outcome)])
    func endsHaveTheirOutcome(_ how: wwt_end_how, result: Int32, outcome: ExchangeEnd.Outcome) throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.end(how: how, result: result, error: "reset")
        }
        #expect(sink.ends.map(\.outcome) == [outcome])
        #expect(sink.responses == [])
    }

    @Test(arguments: ["ftp://h/a", "smtp://h", "file:///a", "h/a", ""])
    func otherProtocolsLeaveNoRow(_ url: String) throws {
        let hearing = Hearing()
        var frames = FrameBuilder()
        frames.begin(1)
        frames.end(1, url: url)
        frames.begin(2)
        frames.foreign(2)
        frames.body(2, bytes: 9)
        frames.end(2, result: 67, url: url)
        frames.begin(3)
        try hearing.take(frames.bytes)
        hearing.reader.finish(at: 9_000)
        #expect(hearing.sink.events == [])
        #expect(hearing.reader.takeNewExchangeCount() == 0)
    }

    @Test func lostFramesAreCountedAndTheirExchangeIsOver() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.lost(count: 3)
            frames.end()
            frames.lost(0, count: 2, why: WWT_LOST_UNTAPPED)
        }
        #expect(sink.ends.map(\.outcome) == [.incomplete])
        #expect(
            sink.losses == [TrafficLoss(reason: .bufferFull, count: 3), TrafficLoss(reason: .untapped, count: 2)])
    }

    @Test func framesOfATransferWhoseBeginIsUnknownTellNothing() throws {
        let sink = try Hearing.of { frames in
            frames.request(9)
            frames.headOut(9, "GET /a HTTP/1.1\r\n\r\n")
            frames.end(9)
        }
        #expect(sink.events == [])
    }

    @Test func keptContentIsFreedOfItsChunks() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("POST /a HTTP/1.1\r\nContent-Length: 2\r\n\r\n")
            frames.body(out: true, bytes: 2)
            frames.content(out: true, "up")
            frames.headIn("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            frames.content("2\r\nok")
            frames.content("\r\n0\r\n\r\n")
            frames.end(headerSize: 47)
        }
        #expect(sink.requests.first?.capturedBody == Array("up".utf8))
        #expect(sink.responses.first?.capturedBody == Array("ok".utf8))
    }

    @Test func aHelloNamesTheProcessOnce() throws {
        let hearing = Hearing()
        var frames = FrameBuilder()
        frames.hello(pid: 5, path: "/opt/a/prog")
        frames.hello(pid: 6, path: "/opt/other")
        frames.exchange()
        try hearing.take(frames.bytes)
        #expect(hearing.sink.requests.map(\.process) == [ProcessIdentity(pid: 5, name: "prog")])
    }

    @Test func anyBatchesOfTheSameFramesGiveTheSameRecords() throws {
        var frames = FrameBuilder()
        frames.exchange(1)
        frames.exchange(2, handle: 0xB0, at: 5_000, connects: 0)
        let whole = try Hearing.of { $0 = frames }
        var ends: [Int] = [0]
        while let last = ends.last, last < frames.bytes.count {
            ends.append(last + Int(frames.bytes[last...].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }))
        }
        let one = Hearing()
        for (start, end) in zip(ends, ends.dropFirst()) { try one.take(Array(frames.bytes[start..<end])) }
        #expect(one.sink.requests == whole.requests)
        #expect(one.sink.responses == whole.responses)
        #expect(one.sink.ends == whole.ends)
    }
}
