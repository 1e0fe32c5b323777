import CCurlTap
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// Requests that libcurl turned to by itself, and of which nothing was ever sent.
@Suite struct TapReaderUnsentAttemptTests {
    /// A request and what came of it, 42 bytes of head and 40 of body, and an end in another attempt.
    private func hear(
        status: String = "302 Found", method: String = "GET", turnedAt: Int64 = 3, before: Int64 = 0,
        how: wwt_end_how = WWT_END_DONE, result: Int32 = 7, url: String = "http://other:81/b",
        localPort: UInt32 = 5_000,
        isAnswered: Bool = true, closed: UInt32? = nil, end: wwt_times? = nil, tcp: wwt_tcp = wwt_tcp()
    ) throws -> RecordingSink {
        try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.request(times: FrameBuilder.times(dns: 1, connect: 1, redirect: before))
            frames.headOut("\(method) /a HTTP/1.1\r\n\r\n")
            if isAnswered { frames.headIn("HTTP/1.1 \(status)\r\nContent-Length: 40\r\n\r\n") }
            if let closed {
                frames.socketClosed(
                    localPort: closed, remotePort: 81, tcp: FrameBuilder.tcp(sent: 300, received: 7), at: 7_500)
            }
            frames.end(
                at: 8_000, how: how, result: result, headerSize: isAnswered ? 42 : 0, connects: closed == nil ? 1 : 2,
                localPort: localPort, url: url, error: "no", method: "GET",
                times: end ?? FrameBuilder.times(dns: 2, connect: 1, total: 7, redirect: turnedAt), tcp: tcp)
        }
    }

    private static let failed = ExchangeEnd.Outcome.failed(ExchangeFailure(.libcurl, code: 7, message: "no"))

    @Test func aRedirectToNowhereIsARedirectAndAnAttempt() throws {
        let sink = try hear()
        try #require(sink.requests.count == 2 && sink.ends.count == 2)
        #expect(sink.requests.map(\.url) == ["http://h/a", "http://other:81/b"])
        #expect(sink.requests.map(\.method) == ["GET", "GET"])
        #expect(sink.requests.map(\.resendCount) == [0, 1])
        #expect(sink.requests.map(\.task.rawValue) == [1, 1])
        #expect(sink.requests[1].size == .nothing)
        #expect(sink.requests[1].sentAt == nil)
        #expect(sink.responses.map(\.status) == [302])
        #expect(sink.ends.map(\.outcome) == [.completed, Self.failed])
        // The second has no connection, and none of the time of the first.
        #expect(sink.ends.map { $0.connection == nil } == [false, true])
        #expect(sink.ends.map(\.endedAt.nanoseconds) == [1_003_000, 1_008_000])
        #expect(sink.requests[1].startedAt.nanoseconds == 1_003_000)
        #expect(sink.ends.map(\.timings.dns) == [1_000, 1_000])
        #expect(sink.ends[1].timings.total == 5_000)
    }

    @Test(
        "whatever ends the attempt",
        arguments: [
            (WWT_END_DONE, 6, ExchangeEnd.Outcome.failed(ExchangeFailure(.libcurl, code: 6, message: "no"))),
            (WWT_END_DONE, 28, .timedOut), (WWT_END_DONE, 42, .cancelled), (WWT_END_REMOVED, 0, .cancelled),
            (WWT_END_STOPPED, 0, .abandoned),
        ] as [(wwt_end_how, Int32, ExchangeEnd.Outcome)])
    func outcomes(_ how: wwt_end_how, _ result: Int32, _ outcome: ExchangeEnd.Outcome) throws {
        #expect(try hear(how: how, result: result).ends.map(\.outcome) == [.completed, outcome])
    }

    @Test("a challenge is answered after the server has gone", arguments: ["401 No", "407 No"])
    func challenges(_ status: String) throws {
        let sink = try hear(status: status, url: "http://h/a")
        #expect(sink.ends.map(\.outcome) == [.completed, Self.failed])
        #expect(sink.requests.map(\.resendCount) == [0, 1])
    }

    /// libcurl does not say that it turns to a request when it connects to a proxy again.
    @Test func aProxyThatHasGoneAfterItsChallenge() throws {
        let sink = try hear(status: "407 No", method: "CONNECT", turnedAt: 0)
        #expect(sink.ends.map(\.outcome) == [.completed, Self.failed])
        let refused = try hear(status: "403 No", method: "CONNECT", turnedAt: 0, result: 56)
        #expect(refused.ends.map(\.outcome.failure?.code) == [56])
    }

    @Test func aConnectionThatWasLostIsAFailureOfItsOwn() throws {
        let sink = try hear(turnedAt: 3, url: "http://h/a", isAnswered: false)
        #expect(sink.ends.map(\.outcome.failure?.code) == [52, 7])
        // libcurl says when it turned to the next.
        #expect(sink.ends.map(\.endedAt.nanoseconds) == [1_004_000, 1_008_000])
    }

    @Test("what libcurl would not follow was no attempt", arguments: [1, 3, 47] as [Int32])
    func notFollowed(_ result: Int32) throws {
        let sink = try hear(
            turnedAt: result == 1 ? 3 : 0, result: result, tcp: FrameBuilder.tcp(sent: 19, received: 82))
        #expect(sink.ends.map(\.outcome.failure?.code) == [Int(result)])
        // All of it was read.
        #expect(sink.responses.map(\.size.body) == [.init(40, .reported)])
    }

    @Test func whatLibcurlHadTurnedToBeforeIsNoOtherAttempt() throws {
        #expect(try hear(turnedAt: 3, before: 3, result: 56).ends.map(\.outcome.failure?.code) == [56])
    }

    @Test func anotherProtocolLeavesNoRow() throws {
        #expect(try hear(url: "ftp://other/b").ends.map(\.outcome) == [.completed])
    }

    @Test func theBodyThatWasNotShownIsTheKernelsCount() throws {
        let here = try hear(tcp: FrameBuilder.tcp(sent: 19, received: 82))
        #expect(here.responses.map(\.size.body) == [.init(40, .reported)])
        // That is another connection's.
        let elsewhere = try hear(localPort: 5_001, tcp: FrameBuilder.tcp(sent: 9, received: 9))
        #expect(elsewhere.responses.map(\.size.body) == [.init(40, .reconstructed)])
    }

    @Test("the connection of a handshake that failed is the attempt's, and nothing but TLS", arguments: [0, 900])
    func handshakes(appConnect: Int64) throws {
        let times = FrameBuilder.times(dns: 2, connect: 3, tls: appConnect, total: 7, redirect: 3)
        let sink = try hear(result: 60, url: "https://other:81/b", localPort: 5_001, closed: 5_001, end: times)
        #expect(sink.ends.map(\.outcome.failure?.code) == [nil, 60])
        let numbers = sink.ends.compactMap(\.connection)
        try #require(numbers.count == 2)
        #expect(Set(numbers).count == 2)
        let ledger = try #require(sink.connections.last { $0.connection == numbers[1] }?.ledger)
        #expect(ledger.up.overhead == 300)
        // Once TLS is there, something may have passed inside.
        #expect(ledger.evidence == (appConnect == 0 ? .reported : .reconstructed))
    }
}
