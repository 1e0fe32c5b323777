import CCurlTap
import CurlObserver
import Testing
import TrafficModel

/// What becomes of frames.
@Suite struct TapReaderTests {
    @Test func anExchangeIsARequestAResponseAnEndAndAConnection() throws {
        let sink = try Hearing.of { $0.exchange() }
        let request = try #require(sink.requests.first)
        #expect(request.method == "GET")
        #expect(request.url == "http://h/a?b")
        #expect(request.size == WireSize(startLine: .captured(19), fields: .captured(11)))
        #expect(request.startedAt == Timestamp(nanoseconds: 1_002_000))
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

    /// libcurl follows redirects inside one transfer; its counters add up over the hops.
    @Test func aRedirectInsideATransferIsATaskOfTwoHopsWithTheirOwnTimes() throws {
        let sink = try Hearing.of { frames in
            frames.begin(at: 1_000)
            frames.request(at: 2_000, times: FrameBuilder.times(dns: 10, connect: 30))
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 302 Found\r\nLocation: http://other/b\r\n\r\n")
            frames.request(
                at: 4_000, url: "http://other/b", connects: 2, headerSize: 48, localPort: 5_001,
                times: FrameBuilder.times(dns: 15, connect: 80))
            frames.headOut(at: 4_000, "GET /b HTTP/1.1\r\n\r\n")
            frames.headIn(at: 5_000, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.end(
                at: 6_000, headerSize: 75, connects: 2, localPort: 5_001, url: "http://other/b",
                times: FrameBuilder.times(dns: 15, connect: 80, total: 90))
        }
        #expect(sink.requests.map(\.url) == ["http://h/a", "http://other/b"])
        #expect(sink.requests.map(\.hop) == [0, 1])
        #expect(sink.requests[1].task == sink.requests[0].exchange)
        #expect(sink.responses.map(\.status) == [302, 204])
        #expect(sink.ends.map(\.outcome) == [.completed, .completed])
        // 10 µs of lookup, then 20 µs of handshake; then 5 µs and 45 µs.
        #expect(sink.ends.map(\.timings.dns) == [10_000, 5_000])
        #expect(sink.ends.map(\.timings.connect) == [20_000, 45_000])
        #expect(sink.ends[0].connection != sink.ends[1].connection)
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
        #expect(sink.requests.map(\.hop) == [0, 1, 0, 0])
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
        #expect(sink.requests.map(\.hop) == [0, 1])
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
        guard case .failed(code: 52, message: _)? = sink.ends.first?.outcome else {
            Issue.record("the first attempt has no failure")
            return
        }
        #expect(sink.ends.last?.outcome == .completed)
        #expect(sink.requests.map(\.hop) == [0, 1])
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
        #expect(sink.ends.map(\.outcome) == [.failed(code: 7, message: "Couldn't connect")])
        #expect(sink.ends.first?.timings.total == 3_000)
        #expect(sink.ends.first?.connection == nil)
    }

    @Test(
        arguments: [
            (WWT_END_DONE, 28, ExchangeEnd.Outcome.timedOut), (WWT_END_DONE, 42, .cancelled),
            (WWT_END_REMOVED, 0, .cancelled), (WWT_END_STOPPED, 0, .abandoned),
            (WWT_END_DONE, 56, .failed(code: 56, message: "reset")),
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
        frames.request(2, url: url)
        frames.headOut(2, "USER x\r\n")
        frames.headIn(2, "220 hello\r\n")
        frames.body(2, bytes: 9)
        frames.end(2, url: url)
        frames.begin(3)
        frames.request(3, url: url)
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
        #expect(sink.ends.map(\.outcome) == [.abandoned])
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

    // MARK: connections

    @Test(arguments: [true, false])
    func theKernelsLastCountReachesTheConnection(_ closesFirst: Bool) throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\n\r\n")
            frames.headIn("HTTP/1.1 204 No Content\r\n\r\n")
            if closesFirst { frames.socketClosed(tcp: FrameBuilder.tcp(sent: 19, received: 27), at: 3_900) }
            frames.end(headerSize: 27, tcp: closesFirst ? wwt_tcp() : FrameBuilder.tcp(sent: 19, received: 1))
            if !closesFirst { frames.socketClosed(tcp: FrameBuilder.tcp(sent: 19, received: 27), at: 5_000) }
        }
        let connection = try #require(sink.connections.first)
        #expect(sink.connections.count == 1)
        #expect(connection.sent == 19)
        #expect(connection.received == 27)
        #expect(connection.closedAt == Timestamp(nanoseconds: closesFirst ? 1_003_900 : 1_005_000))
        #expect(connection.localAddress == "10.0.0.9:5000")
        #expect(connection.roundTrip == 7_000)
    }

    @Test func aReusedConnectionIsTheSameOne() throws {
        let sink = try Hearing.of { frames in
            frames.exchange(1)
            frames.exchange(2, at: 10_000, connects: 0)
            frames.exchange(3, at: 20_000, connects: 1, localPort: 5_001)
        }
        #expect(sink.ends.map(\.connection?.rawValue) == [1, 1, 2])
        #expect(sink.ends.map(\.reusedConnection) == [false, true, false])
    }

    @Test func aPortThatIsUsedAgainIsANewConnectionAndTheOldOneIsTold() throws {
        let sink = try Hearing.of { frames in
            frames.exchange(1)
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 31, received: 43))
            frames.exchange(2, at: 10_000)
        }
        #expect(sink.connections.map(\.connection.rawValue) == [1, 2])
        #expect(sink.connections.map(\.closedAt) == [Timestamp(nanoseconds: 1_005_000), nil])
        #expect(sink.connections.map(\.received) == [43, nil])
    }

    @Test func thePortsAloneDoNotMakeAConnection() throws {
        let sink = try Hearing.of { frames in
            for (transfer, remote) in [(UInt64(1), "10.0.0.1"), (2, "10.0.0.2")] {
                frames.begin(transfer)
                frames.request(transfer, remote: remote)
                frames.headOut(transfer, "GET /a HTTP/1.1\r\n\r\n")
            }
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 19, received: 0), remote: "10.0.0.1")
        }
        #expect(sink.connections.map(\.remoteAddress) == ["10.0.0.1:80", "10.0.0.2:80"])
        #expect(sink.connections.map { $0.closedAt != nil } == [true, false])
    }

    @Test func afterAResetTheLocalPortIsEnough() throws {
        let sink = try Hearing.of { frames in
            frames.exchange(1)
            frames.socketClosed(remotePort: 0, tcp: FrameBuilder.tcp(sent: 31, received: 43), remote: "")
        }
        #expect(sink.connections.map(\.sent) == [31])
        #expect(sink.connections.first?.closedAt != nil)
    }

    /// libcurl gives a connection to the next transfer before the end of the last one is told, and may close it before.
    @Test(arguments: [true, false])
    func whatWasReadUnseenBelongsToTheLastExchangeOnItsConnection(_ firstEndsLast: Bool) throws {
        let sink = try Hearing.of { frames in
            frames.begin(1)
            frames.request(1)
            frames.headOut(1, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(1, "HTTP/1.1 204 No Content\r\n\r\n")
            frames.begin(2)
            frames.request(2, at: 4_000, connects: 0)
            frames.headOut(2, "GET /b HTTP/1.1\r\n\r\n")
            frames.headIn(2, "HTTP/1.1 200 OK\r\n")
            // 27 and 17 bytes were shown, and 5 more were read.
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 38, received: 49))
            frames.end(firstEndsLast ? 2 : 1, headerSize: firstEndsLast ? 17 : 27)
            frames.end(firstEndsLast ? 1 : 2, headerSize: firstEndsLast ? 27 : 17)
        }
        let sizes = Dictionary(uniqueKeysWithValues: sink.responses.map { ($0.exchange.rawValue, $0.size) })
        #expect(sizes[1]?.total == 27)
        #expect(sizes[1]?.evidence == .captured)
        // Told last, it cannot be told again: then the five bytes are the connection's, and no message's.
        #expect(sizes[2]?.total == (firstEndsLast ? 17 : 22))
        #expect(sizes[2]?.fields.evidence == (firstEndsLast ? .reconstructed : .reported))
    }

    // MARK: while it runs

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
        for timings in sink.ends.map(\.timings) {
            let parts = [
                timings.queue, timings.dns, timings.connect, timings.tls, timings.send, timings.wait, timings.receive,
                timings.total,
            ]
            #expect(parts.allSatisfy { ($0 ?? 0) >= 0 })
        }
    }

    // MARK: responses

    private func response(
        _ heads: [String], headerSize: Int64, bytes: UInt64 = 0, content: UInt64 = 0,
        framing: UInt64 = 0, tail: UInt32 = 0, chunkTail: UInt32 = 0, result: Int32 = 0, version: String = "1.1"
    ) throws -> ResponseRecord {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/\(version)\r\n\r\n")
            for head in heads { frames.headIn(head) }
            if bytes > 0 {
                frames.body(bytes: bytes, content: content, framing: framing, tail: tail, chunkTail: chunkTail)
            }
            frames.end(result: result, headerSize: headerSize)
        }
        return try #require(sink.responses.first)
    }

    @Test func emptyLinesThatLibcurlDoesNotShowAreFoundInItsCount() throws {
        let heads = ["HTTP/1.1 100 Continue\r\n", "HTTP/1.1 103 Early Hints\r\n", "HTTP/1.1 200 OK\r\n\r\n"]
        #expect(try response(heads, headerSize: 72).size.interim == .init(53, .reported))
        #expect(try response(heads, headerSize: 68).size.interim == .init(53, .reconstructed))
    }

    @Test func interimResponsesAloneAreAResponseWithoutAStatus() throws {
        let response = try response(["HTTP/1.1 100 Continue\r\n"], headerSize: 25, result: 56)
        #expect(response.status == 0)
        #expect(response.size.interim == .init(25, .reported))
    }

    /// HTTP/0.9 has no head (RFC 1945, section 4.1).
    @Test func contentWithoutAHeadIsNotLost() throws {
        let response = try response([], headerSize: 0, bytes: 12)
        #expect(response.status == 0)
        #expect(response.size == WireSize(body: .captured(12)))
    }

    @Test func linesThatAreNoHeadAreNotLost() throws {
        let response = try response(["ICY 200 OK\r\n\r\n"], headerSize: 14, bytes: 12)
        #expect(response.size.known == 26)
    }

    private func gzip(_ fields: String) -> String { "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(fields)\r\n" }

    /// RFC 1952, section 2.3.1: the last four bytes are the size before compression.
    @Test func theDecodedSizeOfGzipIsItsTail() throws {
        let sized = try response([gzip("Content-Length: 40\r\n")], headerSize: 61, bytes: 40, tail: 1_000, chunkTail: 5)
        #expect(sized.decodedBody == .init(1_000, .reported))
        let chunked = try response(
            [gzip("Transfer-Encoding: chunked\r\n")], headerSize: 69, bytes: 51, content: 40, framing: 11, tail: 5,
            chunkTail: 1_000)
        #expect(chunked.decodedBody == .init(1_000, .reported))
        #expect(chunked.size.body == .captured(40))
        #expect(chunked.size.framing == .captured(11))
    }

    @Test func theTailOfABodyThatWasCutIsNoSize() throws {
        let cut = try response([gzip("Content-Length: 99\r\n")], headerSize: 61, bytes: 40, tail: 1_000, result: 18)
        #expect(cut.decodedBody == .unknown)
        #expect(try response([gzip("")], headerSize: 41, bytes: 17, tail: 1_000).decodedBody == .unknown)
    }

    @Test func chunkedFixedAndUntilCloseAreReadByTheirHead() throws {
        let chunked = try response(
            ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"], headerSize: 47, bytes: 30, content: 20,
            framing: 10)
        #expect(chunked.size.body == .captured(20))
        #expect(chunked.size.framing == .captured(10))
        #expect(chunked.bodyDigest == 22)
        let fixed = try response(
            ["HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n"], headerSize: 39, bytes: 30, content: 20, framing: 10)
        #expect(fixed.size.body == .captured(25))
        #expect(fixed.size.framing == .captured(5))
        let open = try response(["HTTP/1.1 200 OK\r\n\r\n"], headerSize: 19, bytes: 30, content: 20, framing: 10)
        #expect(open.size.body == .captured(30))
        #expect(open.bodyDigest == 11)
    }

    @Test func headsOfHTTP2AreReconstructedAndTheirBodyIsCaptured() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "https://h/a", remotePort: 443)
            frames.headOut("GET /a HTTP/2\r\nHost: h\r\n\r\n")
            frames.headIn("HTTP/2 200 \r\n\r\n")
            frames.body(bytes: 20_000)
            frames.end(url: "https://h/a")
        }
        #expect(sink.requests.first?.size.startLine.evidence == .reconstructed)
        #expect(sink.responses.first?.size.fields.evidence == .reconstructed)
        #expect(sink.responses.first?.size.body == .captured(20_000))
        #expect(sink.responses.first?.size.framing.evidence == .reconstructed)
        #expect(sink.responses.first?.size.evidence == .reconstructed)
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

@Suite struct IdentifierSourceTests {
    @Test func numbersAreUniqueAcrossThreads() async {
        let source = IdentifierSource()
        let all = await withTaskGroup(of: [Int64].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<2_000).map { _ in source.nextExchange().rawValue } }
            }
            return await group.reduce(into: Set<Int64>()) { $0.formUnion($1) }
        }
        #expect(all == Set(1...16_000))
        #expect(source.nextConnection().rawValue == 1)
    }
}
