#if os(Linux)
    import Testing
    import TrafficModel
    import WireweightTesting

    /// What a server receives and sends is the same, part by part, as what its client sends and receives.
    @Suite struct StreamServedTests {
        private typealias Step = StreamPlay.Step

        private static func up(_ text: String) -> Step { .up(Array(text.utf8)) }
        private static func down(_ text: String) -> Step { .down(Array(text.utf8)) }

        private static let get = up("GET /a?b=c HTTP/1.1\r\nHost: example.com\r\nCookie: a=b\r\n\r\n")
        private static let answer = down("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nSet-Cookie: c=d\r\n\r\nhello")
        private static let conversation: [Step] = [
            get, answer,
            // Pipelined.
            up("GET /1 HTTP/1.1\r\nHost: example.com\r\n\r\nHEAD /2 HTTP/1.1\r\nHost: example.com\r\n\r\n"),
            down("HTTP/1.1 204 No Content\r\n\r\n"), down("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n"),
            up("POST /3 HTTP/1.1\r\nHost: example.com\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"),
            down("HTTP/1.1 100 Continue\r\n\r\n"), up("abc"), down("HTTP/1.1 304 Not Modified\r\n\r\n"),
            up(
                "PUT /4 HTTP/1.1\r\nHost: example.com\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nA: b\r\n\r\n"
            ),
            down("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n"),
        ]

        /// The same bytes at both ends; how the client's connection and the server's end.
        private func compare(
            _ steps: [Step], _ ends: (called: StreamPlay.End, served: StreamPlay.End) = (.closed, .closed)
        ) throws -> StreamPlay {
            let called = try StreamPlay(steps, end: ends.called)
            for isSecure in [true, false] {
                let first = try StreamPlay(steps, isSecure: isSecure, end: ends.called)
                for split in StreamPlay.Split.allCases {
                    let served = try StreamPlay(
                        steps, split: split, isSecure: isSecure, isServer: true, end: ends.served)
                    // How much TLS adds depends on the calls.
                    let connections = isSecure ? first.sink.connections.count : 0
                    #expect(served.text.dropLast(connections) == first.text.dropLast(connections), "\(split)")
                    #expect(served.sink.requests.allSatisfy { $0.direction == .served && $0.task == $0.exchange })
                    let record = try #require(served.sink.connections.first)
                    #expect(record.direction == .served)
                    #expect(record.ledger?.isClosed == true, "\(record)")
                    #expect(record.localAddress == (isSecure ? "10.0.0.1:443" : "10.0.0.1:80"))
                    #expect(record.remoteAddress == "127.0.0.1:5000")
                }
            }
            #expect(called.sink.requests.allSatisfy { $0.direction == .called })
            return try StreamPlay(steps, isServer: true, end: ends.served)
        }

        @Test("a request comes again without its expectation, which the server has refused")
        func refused() throws {
            let request = "POST /a HTTP/1.1\r\nHost: example.com\r\n"
            let served = try compare([
                Self.up(request + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n"),
                Self.down("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 2\r\n\r\nno"),
                Self.up(request + "Content-Length: 3\r\n\r\nabc"), Self.answer,
            ])
            #expect(served.sink.responses.map(\.status) == [417, 200])
            #expect(served.sink.requests.map(\.size.body.bytes.bytes) == [0, 3])
            #expect(served.sink.ends.map(\.outcome) == [.completed, .completed])
        }

        @Test("keep-alive, pipelining, 100-continue, HEAD, 204, 304, chunks and trailers")
        func conversation() throws {
            let served = try compare(Self.conversation)
            #expect(served.sink.requests.map(\.path) == ["/a", "/1", "/2", "/3", "/4"])
            #expect(served.sink.responses.map(\.status) == [200, 204, 200, 304, 200])
            #expect(served.sink.ends.map(\.outcome) == .init(repeating: .completed, count: 5))
        }

        @Test("The connection is not the server's doing, so nothing comes before the request's first byte")
        func times() throws {
            let served = try StreamPlay([Self.get, Self.answer], isServer: true)
            let request = try #require(served.sink.requests.first)
            #expect(request.startedAt == request.sentAt)
            let timings = try #require(served.sink.ends.first?.timings)
            #expect(timings.connect == nil && timings.tls == nil && timings.dns == nil)
        }

        @Test("A response without a length is whole when the server closes, and cut when the client does")
        func untilClose() throws {
            let steps = [Self.get, Self.down("HTTP/1.0 200 OK\r\n\r\nuntil the end")]
            let served = try compare(steps, (called: .ended, served: .closed))
            #expect(served.sink.ends.map(\.outcome) == [.completed])
            let failed = try StreamPlay(steps, isServer: true, end: .failed)
            #expect(failed.sink.ends.first?.outcome.failure?.domain == .posix)
        }

        @Test("what ends before its response is whole, by the client, by the server and with the program")
        func cut() throws {
            let steps = [Self.get, Self.down("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello")]
            func outcome(_ end: StreamPlay.End) throws -> ExchangeEnd.Outcome? {
                try StreamPlay(steps, isServer: true, end: end).sink.ends.first?.outcome
            }
            #expect(
                try outcome(.ended)
                    == .failed(
                        ExchangeFailure(
                            .connection, code: 0, message: "the connection ended before the response was whole")))
            #expect(try outcome(.closed) == .cancelled)
            #expect(try outcome(.abandoned) == .abandoned)
        }

        @Test("A response that waits in the kernel is over once it was sent")
        func waits() throws {
            let sent = try StreamPlay(
                [Self.get, Self.answer, Self.get, Self.answer], isSecure: false, isServer: true,
                queued: [1: 30, 2: 10, 3: 0])
            let whole = try StreamPlay([Self.get, Self.answer, Self.get, Self.answer], isSecure: false, isServer: true)
            #expect(sent.text == whole.text)
            #expect(sent.sink.ends.map(\.outcome) == [.completed, .completed])
            #expect(
                try StreamPlay([Self.get, Self.answer], isServer: true, end: .abandoned, queued: [1: 30])
                    .sink.ends.map(\.outcome) == [.completed])
            #expect(
                try StreamPlay([Self.get, Self.answer], isServer: true, queued: [1: 30, 2: 0])
                    .sink.ends.map(\.outcome) == [.completed])
        }

        @Test("What a reset keeps in the kernel is no part of a response", arguments: [true, false])
        func kept(isSecure: Bool) throws {
            let play = try StreamPlay(
                [Self.get, Self.answer], isSecure: isSecure, isServer: true, end: .ended, queued: [1: 7])
            let size = try #require(play.sink.responses.first?.size)
            let evidence: Evidence = isSecure ? .reconstructed : .reported
            #expect(size.body == .init(0, evidence))
            // "\r\n" of the last line.
            #expect(size.fields == .init(36, evidence))
            #expect(size.startLine == .init(17, .captured))
            #expect(play.sink.responses.first?.bodyDigest == nil)
            let why = "the connection ended before the response was sent"
            #expect(
                play.sink.ends.map(\.outcome) == [.failed(ExchangeFailure(.connection, code: 0, message: why))])
            #expect(
                try StreamPlay([Self.get, Self.answer], isServer: true, end: .closed, queued: [1: 7])
                    .sink.ends.map(\.outcome) == [.cancelled])
        }

        @Test("Of a response that was being written, too", arguments: [true, false])
        func keptOfRunning(isSecure: Bool) throws {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"
            for end in [StreamPlay.End.ended, .failed, .closed] {
                let play = try StreamPlay(
                    [Self.get, Self.down(head + String(repeating: "x", count: 90))], isSecure: isSecure,
                    isServer: true, end: end, queued: [1: 93])
                let size = try #require(play.sink.responses.first?.size)
                let evidence: Evidence = isSecure ? .reconstructed : .reported
                #expect(size.body == .init(0, evidence))
                #expect(size.known.bytes == Int64(head.utf8.count) - 3)
                #expect(play.sink.connections.first?.ledger?.isClosed == true, "\(end)")
                #expect(play.sink.ends.first?.outcome != .completed)
            }
        }

        @Test("Of pipelined responses, a reset keeps the last ones", arguments: StreamPlay.Split.allCases)
        func keptPipelined(split: StreamPlay.Split) throws {
            let two = Step(isDown: true, bytes: Self.answer.bytes + Self.answer.bytes)
            let length = UInt64(Self.answer.bytes.count)
            let play = try StreamPlay(
                [Self.get, Self.get, two], split: split, isSecure: false, isServer: true, end: .failed,
                queued: [2: length + 3])
            #expect(play.sink.responses.map(\.size.body.bytes) == [2, 0])
            #expect(play.sink.responses.map(\.size.known.bytes) == [Int64(length) - 3, 0])
            #expect(play.sink.ends.map { $0.outcome.failure?.domain } == [.posix, .posix])
            #expect(play.sink.connections.first?.ledger?.isClosed == true)
        }

        @Test("A request without a host goes to the server's own address; another protocol leaves no row")
        func hosts() throws {
            let lone = try compare([Self.up("GET /x HTTP/1.0\r\n\r\n"), Self.answer])
            #expect(lone.sink.requests.map(\.url) == ["https://10.0.0.1/x"])
            let other = try StreamPlay([.up([1, 1, 0, 1, 0, 8, 0, 0]), .down([1, 6, 0, 1])], isServer: true)
            #expect(other.sink.requests.isEmpty)
        }

        @Test("A server's redirect is no reason for the next request that the same thread serves")
        func redirects() throws {
            let redirect = Self.down("HTTP/1.1 302 Found\r\nLocation: /a?b=c\r\nContent-Length: 0\r\n\r\n")
            let served = try compare([Self.get, redirect, Self.get, Self.answer])
            #expect(served.sink.requests.map(\.resendCount) == [0, 0])
        }
    }
#endif
