import CCurlTap
import CurlObserver
import TapFrames
import Testing
import TrafficModel
import WireweightTesting

/// What becomes of a transfer whose result the program never asks libcurl for.
@Suite struct TapReaderOutcomeTests {
    /// A request that is removed after those frames.
    private func removed(
        _ head: String = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", url: String = "http://h/a",
        _ build: (inout FrameBuilder) -> Void
    ) throws -> ExchangeEnd.Outcome? {
        let sink = try Hearing.of { frames in
            frames.sent(head, url: url)
            build(&frames)
            frames.end(how: WWT_END_REMOVED, url: url)
        }
        #expect(sink.ends.count == 1)
        return sink.ends.first?.outcome
    }

    @Test(
        "a response that came whole is completed, though the program never asked for the result",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 5, 0),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", 0, 0),
            ("HTTP/1.1 204 No Content\r\n\r\n", 0, 0),
            ("HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n", 0, 0),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 15, 7),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 5\r\n\r\n", 5, 0),
        ] as [(String, UInt64, UInt32)])
    func wholeResponses(_ head: String, _ bytes: UInt64, _ chunkState: UInt32) throws {
        let outcome = try removed { frames in
            frames.headIn(head)
            if bytes > 0 { frames.body(bytes: bytes, content: 5, framing: 10, chunkState: chunkState) }
        }
        #expect(outcome == .completed)
    }

    @Test(
        "a response that was cut short is a cancel",
        arguments: [
            ("", 0, 0), ("HTTP/1.1 200 OK\r\nContent-Le", 0, 0),
            ("HTTP/1.1 100 Continue\r\n\r\n", 0, 0),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 4, 0),
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 0, 0),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 12, 0),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", 12, 5),
            ("HTTP/1.1 200 OK\r\n\r\n", 5_000, 0),
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n", 9, 0),
        ] as [(String, UInt64, UInt32)])
    func cutResponses(_ head: String, _ bytes: UInt64, _ chunkState: UInt32) throws {
        let outcome = try removed { frames in
            if !head.isEmpty { frames.headIn(head) }
            if bytes > 0 { frames.body(bytes: bytes, content: 5, framing: 7, chunkState: chunkState) }
        }
        #expect(outcome == .cancelled)
    }

    @Test func anUploadThatWasCutShortIsACancelThoughItsAnswerIsWhole() throws {
        let head = "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n"
        func outcome(sent: UInt64, _ status: String) throws -> ExchangeEnd.Outcome? {
            try removed(head) { frames in
                frames.body(out: true, bytes: sent)
                frames.headIn("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            }
        }
        #expect(try outcome(sent: 4, "200 OK") == .cancelled)
        #expect(try outcome(sent: 9, "200 OK") == .completed)
        // libcurl stops sending here, and is done.
        #expect(try outcome(sent: 4, "413 Too Large") == .completed)
    }

    @Test func aTunnelThatIsOpenWhenItIsRemovedIsACancel() throws {
        let outcome = try removed("CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n", url: "https://h/a") {
            $0.headIn("HTTP/1.1 200 Connection established\r\n\r\n")
        }
        #expect(outcome == .cancelled)
    }

    // The kernel's count of a connection that libcurl closed before, or only because, the program took the transfer back.
    @Test(
        "a body that ends with its connection is whole once libcurl has seen the peer end it",
        arguments: [(3_900, true, "completed"), (3_900, false, "failed"), (4_100, true, "cancelled")]
            as [(UInt64, Bool, String)])
    func bodiesUntilTheClose(_ closedAt: UInt64, isEnded: Bool, outcome: String) throws {
        let seen = try removed { frames in
            frames.headIn("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            frames.body(bytes: 5)
            frames.socketClosed(
                tcp: FrameBuilder.tcp(sent: 28, received: 43, isOver: true, isEnded: isEnded), at: closedAt)
        }
        // Without the peer's end it may have been cut by a reset: then this is unknown, and no cancel is claimed.
        #expect(seen?.name == (outcome == "failed" ? "cancelled" : outcome))
    }

    @Test func aConnectionThatLibcurlGaveUpIsAFailureAndNoCancel() throws {
        let outcome = try removed { frames in
            frames.headIn("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
            frames.body(bytes: 5)
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 28, received: 43, isOver: true, isEnded: true), at: 3_900)
        }
        #expect(outcome?.failure?.domain == .libcurl)
    }

    @Test(
        "over HTTP/2 the flag at the end of the stream says that a response without a length is whole",
        arguments: [true, false])
    func streams(_ hasEnded: Bool) throws {
        let outcome = try removed("GET /a HTTP/2\r\nHost: h\r\n\r\n", url: "https://h/a") { frames in
            frames.stream(1)
            frames.http2([
                FrameBuilder.part(1, type: 1, content: 20, flags: 5),
                FrameBuilder.part(1, type: 1, down: true, content: 30, flags: 4),
                FrameBuilder.part(1, type: 0, down: true, content: 500, flags: hasEnded ? 1 : 0),
            ])
            frames.headIn("HTTP/2 200 \r\n\r\n")
            frames.body(bytes: 500)
        }
        #expect(outcome == (hasEnded ? .completed : .cancelled))
    }

    @Test(
        "over HTTP/2 whose frames cannot be seen, a response without a length is whole once libcurl is done",
        arguments: [("", true, true), ("", false, false), ("content-length: 9\r\n", true, false)])
    func unseenStreams(_ field: String, isDone: Bool, isWhole: Bool) throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request(url: "https://h/a")
            frames.headOut("GET /a HTTP/2\r\nHost: h\r\n\r\n")
            frames.headIn("HTTP/2 200 \r\n\(field)\r\n")
            frames.body(bytes: 5)
            frames.end(how: WWT_END_REMOVED, url: "https://h/a", isDone: isDone)
        }
        #expect(sink.ends.map(\.outcome) == [isWhole ? .completed : .cancelled])
    }

    @Test func anHTTP1ResponseUntilTheEndIsNotWholeBecauseLibcurlIsDone() throws {
        // The transfer's data about the connection are useless there; the connection's own end has them.
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.request()
            frames.headOut("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            frames.headIn("HTTP/1.1 200 OK\r\n\r\n")
            frames.body(bytes: 5)
            frames.end(how: WWT_END_REMOVED, isDone: true)
        }
        #expect(sink.ends.map(\.outcome) == [.cancelled])
    }

    @Test func aRequestThatReachedNobodyHasItsMethod() throws {
        let sink = try Hearing.of { frames in
            frames.begin()
            frames.end(
                result: 7, connects: 0, localPort: 0, remotePort: 0, url: "http://h:81/x", remote: "",
                error: "Couldn't connect", method: "POST")
        }
        #expect(sink.requests.map(\.method) == ["POST"])
        #expect(sink.requests.map(\.size) == [.nothing])
    }

    @Test func contentWithoutAHeadIsAnAnswerOfVersion09OnlyWhereLibcurlTookIt() throws {
        func response(_ result: Int32) throws -> ResponseRecord? {
            try Hearing.of { frames in
                frames.sent()
                frames.body(bytes: 28)
                frames.end(result: result)
            }.responses.last
        }
        let taken = try #require(try response(0))
        #expect((taken.httpVersion, taken.status, taken.isAnswer) == ("0.9", 0, true))
        #expect(taken.size.total == 28)
        let refused = try #require(try response(1))
        #expect((refused.httpVersion, refused.isAnswer) == ("", false))
        #expect(refused.size.total == 28)
    }

    // MARK: losses

    @Test func whatTheMeterLostIsUnknownAndNoFailure() throws {
        let sink = try Hearing.of { frames in
            frames.sent("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            frames.headIn("HTTP/1.1 200 OK\r\nContent-Length: 8000\r\n\r\n")
            frames.body(bytes: 1_900)
            frames.lost()
        }
        #expect(sink.ends.map(\.outcome) == [.incomplete])
        #expect(sink.ends.first?.timings.total == nil)
        let request = try #require(sink.requests.last)
        #expect(request.size == WireSize(startLine: .captured(17), fields: .captured(11)))
        let response = try #require(sink.responses.last)
        #expect(response.size.fields == .captured(24))
        #expect((response.size.body, response.size.framing) == (.unknown, .unknown))
        #expect(response.bodyDigest == nil)
        var total = TrafficTotal(key: .init())
        total.add(Exchange(request: request, response: response, end: sink.ends.first))
        #expect((total.failures, total.unanswered, total.incomplete) == (0, 0, 1))
        #expect((total.up.unknown, total.down.unknown) == (0, 1))
    }

    @Test func aResponseThatTheMeterLostIsNotMissing() throws {
        let sink = try Hearing.of { frames in
            frames.sent("POST /a HTTP/1.1\r\nContent-Length: 9\r\n\r\n")
            frames.lost()
        }
        let request = try #require(sink.requests.last)
        #expect(request.size.fields == .captured(21))
        #expect(request.size.body == .unknown)
        #expect(sink.responses.map(\.size) == [.unknown])
        var total = TrafficTotal(key: .init())
        total.add(Exchange(request: request, response: sink.responses.last, end: sink.ends.first))
        #expect((total.responses, total.unanswered, total.failures) == (0, 0, 0))
    }

    @Test func whatWasWholeBeforeTheLossStaysExact() throws {
        let sink = try Hearing.of { frames in
            frames.sent()
            frames.headIn("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            frames.body(bytes: 5)
            frames.lost()
        }
        #expect(sink.responses.last?.size.body == .captured(5))
        #expect(sink.responses.last?.size.evidence == .captured)
    }

    @Test func theKernelsCountGivesNothingOfALostExchangeToTheNext() throws {
        let sink = try Hearing.of { frames in
            frames.begin(1)
            frames.request(1)
            frames.headOut(1, "GET /a HTTP/1.1\r\n\r\n")
            frames.lost(1)
            frames.begin(2)
            frames.request(2, connects: 0)
            frames.headOut(2, "GET /a HTTP/1.1\r\n\r\n")
            frames.headIn(2, "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            frames.body(2, bytes: 5)
            frames.socketClosed(tcp: FrameBuilder.tcp(sent: 38, received: 9_000, isOver: true), at: 3_900)
            frames.end(2, connects: 0)
        }
        #expect(sink.responses.last?.size.total == 43)
        #expect(sink.responses.last?.size.evidence == .captured)
    }

    @Test func whatSeemsToRunAtTheEndOfAProgramThatLostSomethingIsIncomplete() throws {
        let hearing = Hearing()
        var frames = FrameBuilder()
        frames.sent()
        try hearing.take(frames.bytes)
        hearing.reader.finish(at: 9_000, isCut: true)
        #expect(hearing.sink.ends.map(\.outcome) == [.incomplete])
    }
}
