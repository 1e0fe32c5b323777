#if os(Linux)
    import ContentCoding
    import PassiveHTTP
    import Testing
    import TrafficModel
    import WireweightTesting

    /// HTTP/2 below HTTP libraries: the same in every split of the bytes, and as the passive reader has it.
    @Suite struct StreamHTTP2Tests {
        private typealias Step = StreamPlay.Step

        private static let preface = Step.up(
            Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, [0, 3, 0, 0, 0, 100]))
        private static let settings = Step.down(frame(4, 0, 0))
        /// GET http://www.example.com/ (RFC 7541, C.4.1).
        private static let firstBlock: [UInt8] = [
            0x82, 0x86, 0x84, 0x41, 0x8C, 0xF1, 0xE3, 0xC2, 0xE5, 0xF2, 0x3A, 0x6B, 0xA0, 0xAB, 0x90, 0xF4, 0xFF,
        ]
        /// The same with cache-control: no-cache, by the dynamic table (C.4.2).
        private static let secondBlock: [UInt8] = [
            0x82, 0x86, 0x84, 0xBE, 0x58, 0x86, 0xA8, 0xEB, 0x10, 0x64, 0x9C, 0xBF,
        ]
        /// :status 103.
        private static let interim: [UInt8] = [0x48, 3] + Array("103".utf8)
        private static let cookie = field("cookie", "a=b")

        private static func field(_ name: String, _ value: String) -> [UInt8] {
            [0x40, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }

        private static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt16, _ payload: [UInt8] = []) -> [UInt8] {
            [
                UInt8(payload.count >> 16), UInt8(payload.count >> 8 & 0xFF), UInt8(payload.count & 0xFF), type, flags,
                0, 0, UInt8(stream >> 8), UInt8(stream & 0xFF),
            ] + payload
        }

        /// What comes of it in every split, which must be the same; and the same, where no byte is missing, as what the
        /// passive reader finds in the same bytes.
        private func play(_ steps: [Step], end: StreamPlay.End = .closed) throws -> StreamPlay {
            let whole = try StreamPlay(steps, end: end)
            for isSecure in [true, false] {
                let first = try StreamPlay(steps, isSecure: isSecure, end: end)
                for split in StreamPlay.Split.allCases {
                    for seed in 1...(split == .random ? 20 : 1) as ClosedRange<UInt64> {
                        let other = try StreamPlay(steps, split: split, seed: seed, isSecure: isSecure, end: end)
                        // How much TLS adds depends on the calls.
                        #expect(
                            isSecure ? other.text.dropLast() == first.text.dropLast() : other.text == first.text,
                            "\(split), \(seed)")
                        let ledger = try #require(other.sink.connections.first?.ledger)
                        #expect(ledger.isClosed, "\(ledger)")
                    }
                }
            }
            compareWithPassive(steps, whole)
            try compareWithServer(steps, whole, end: end)
            return whole
        }

        /// At the other end everything has the same size, but may have another outcome.
        private func compareWithServer(_ steps: [Step], _ play: StreamPlay, end: StreamPlay.End) throws {
            for split in StreamPlay.Split.allCases {
                let served = try StreamPlay(steps, split: split, isServer: true, end: end)
                #expect(served.sink.requests.map(\.url) == play.sink.requests.map(\.url))
                #expect(served.sink.requests.map(\.size) == play.sink.requests.map(\.size))
                #expect(served.sink.requests.map(\.bodyDigest) == play.sink.requests.map(\.bodyDigest))
                #expect(served.sink.responses.map(\.status) == play.sink.responses.map(\.status))
                #expect(served.sink.responses.map(\.size) == play.sink.responses.map(\.size))
                func completed(_ play: StreamPlay) -> [Bool] { play.sink.ends.map { $0.outcome == .completed } }
                #expect(completed(served) == completed(play))
                #expect(served.sink.connections.first?.ledger?.isClosed == true)
                #expect(served.sink.connections.first?.direction == .served)
            }
        }

        private func compareWithPassive(_ steps: [Step], _ play: StreamPlay) {
            var reader = ConnectionReader(decoder: { HPACKDecoder() })
            var events: [ConnectionEvent] = []
            let time = Timestamp(nanoseconds: 0)
            for step in steps { events += reader.receive(step.bytes, step.isDown ? .down : .up, at: time) }
            events += reader.end(.down, at: time) + reader.end(.up, at: time)
            var pushed: Set<Int> = []
            var requests: [PassiveRequest] = []
            var ends: [Int: PassiveEnd] = [:]
            var statuses: [Int: Int] = [:]
            for event in events {
                switch event {
                case .request(let request):
                    if request.isPushed { pushed.insert(request.exchange) } else { requests.append(request) }
                case .response(let response): statuses[response.exchange] = response.status
                case .end(let end): ends[end.exchange] = end
                default: break
                }
            }
            #expect(play.sink.requests.count == requests.count)
            for (record, request) in zip(play.sink.requests, requests.sorted { $0.exchange < $1.exchange }) {
                let end = ends[request.exchange]
                #expect(record.method == request.method)
                #expect(record.size == end?.request.size)
                let response = play.sink.response(to: record.exchange)
                #expect((response?.status ?? 0) == statuses[request.exchange] ?? 0)
                #expect(response?.size == end?.response?.size)
                #expect(record.bodyDigest == end?.request.bodyDigest)
                #expect(response?.bodyDigest == end?.response?.bodyDigest)
            }
            guard pushed.isEmpty, let ledger = play.sink.connections.first?.load else { return }
            #expect(ledger.http2Control == reader.bytes.http2Control + reader.held)
        }

        @Test("an upgrade: the request is of HTTP/1.1, and its response that of stream 1 (RFC 7540, section 3.2)")
        func upgrade() throws {
            let request = """
                POST /a HTTP/1.1\r\nHost: www.example.com\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r
                HTTP2-Settings: AAMAAABk\r\nContent-Length: 3\r\n\r\nabc
                """
            let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
            let answer = Self.frame(1, 4, 1, [0x88]) + Self.frame(0, 1, 1, Array("hello".utf8))
            let together: [Step] = [
                .up(Array(request.utf8)), .down(Array(switching.utf8) + Self.settings.bytes + answer), Self.preface,
            ]
            let apart: [Step] = [
                .up(Array(request.utf8)), .down(Array(switching.utf8)), Self.preface, Self.settings, .down(answer),
            ]
            for steps in [together, apart] {
                let result = try play(
                    steps + [
                        .up(Self.frame(1, 5, 3, Self.firstBlock)),
                        .down(Self.frame(1, 4, 3, [0x88]) + Self.frame(0, 1, 3, Array("x".utf8))),
                    ])
                #expect(result.sink.requests.map(\.httpVersion) == ["1.1", "2"])
                #expect(result.sink.responses.map(\.httpVersion) == ["2", "2"])
                #expect(result.sink.responses.map(\.status) == [200, 200])
                #expect(result.sink.responses.map { Int($0.size.interim.bytes.bytes) } == [switching.utf8.count, 0])
                #expect(result.sink.responses.map(\.size.body.bytes.bytes) == [5, 1])
                #expect(result.sink.ends.map(\.outcome) == [.completed, .completed])
                #expect(result.sink.connections.first?.applicationProtocol == "h2")
            }
        }

        @Test("two streams whose header blocks share a table; padding, trailers, frames of the connection")
        func streams() throws {
            let result = try play([
                Self.preface, Self.settings,
                .up(Self.frame(1, 5, 1, Self.firstBlock) + Self.frame(1, 4, 3, Self.secondBlock)),
                .up(Self.frame(0, 1, 3, Array("abc".utf8))),
                .down(Self.frame(1, 4, 3, [0x88]) + Self.frame(0, 9, 3, [2] + Array("hello".utf8) + [0, 0])),
                .down(Self.frame(6, 0, 0, [1, 2, 3, 4, 5, 6, 7, 8])),
                .up(Self.frame(6, 1, 0, [1, 2, 3, 4, 5, 6, 7, 8])),
                .down(Self.frame(1, 4, 1, [0x88]) + Self.frame(0, 0, 1, Array("x".utf8))),
                .up(Self.frame(8, 0, 1, [0, 0, 0, 1])),
                .down(Self.frame(1, 5, 1, Self.field("grpc-status", "0"))),
                .up(Self.frame(8, 0, 1, [0, 0, 0, 1])),
            ])
            #expect(result.sink.requests.map(\.url) == ["http://www.example.com:443/", "http://www.example.com:443/"])
            #expect(
                result.sink.requests.map { String(decoding: $0.fields.bytes, as: UTF8.self) } == [
                    "Host: www.example.com\r\n", "Host: www.example.com\r\ncache-control: no-cache\r\n",
                ])
            #expect(result.sink.responses.map(\.status) == [200, 200])
            #expect(result.sink.ends.map(\.outcome) == [.completed, .completed])
            #expect(StreamPlay.text(result.sink.requests[0].size) == "0+0+17+0+0+22")
            #expect(StreamPlay.text(result.sink.responses[0].size) == "0+0+1+0+1+42")
            #expect(result.sink.connections.first?.applicationProtocol == "h2")
            // The same in a program that ends with the connection open.
            #expect(try StreamPlay([Self.preface, Self.settings], end: .abandoned).sink.requests.isEmpty)
        }

        @Test("CONTINUATION, priority, cookies by their bytes, interim responses, empty DATA that ends")
        func sections() throws {
            let result = try play([
                Self.preface, Self.settings, .up(Self.frame(1, 0x21, 1, [0, 0, 0, 0, 9] + Self.firstBlock.prefix(4))),
                .up(Self.frame(9, 0, 1, Array(Self.firstBlock.dropFirst(4))) + Self.frame(9, 4, 1, Self.cookie)),
                .down(Self.frame(1, 4, 1, Self.interim)),
                .down(Self.frame(1, 0, 1, [0x88]) + Self.frame(9, 4, 1, Self.field("x-a", "b"))),
                .down(Self.frame(0, 1, 1)),
            ])
            #expect(result.sink.responses.map(\.status) == [200])
            #expect(StreamPlay.text(result.sink.requests[0].size) == "0+0+29+12+0+32")
            #expect(StreamPlay.text(result.sink.responses[0].size) == "0+14+8+0+0+27")
        }

        @Test("streams that are reset by either side, and those that the server does not process")
        func ends() throws {
            let result = try play([
                Self.preface, Self.settings,
                .up([1, 3, 5, 7].flatMap { Self.frame(1, $0 == 7 ? 4 : 5, UInt16($0), Self.firstBlock) }),
                .down(Self.frame(1, 4, 1, [0x88])), .up(Self.frame(3, 0, 1, [0, 0, 0, 8])),
                .down(Self.frame(0, 1, 1, [1, 2, 3])), .down(Self.frame(3, 0, 3, [0, 0, 0, 7])),
                .down(Self.frame(1, 5, 7, [0x8D]) + Self.frame(3, 0, 7, [0, 0, 0, 0])),
                .down(Self.frame(7, 0, 0, [0, 0, 0, 3, 0, 0, 0, 2, 0x21])),
            ])
            let outcomes = result.sink.ends.map(\.outcome)
            func failure(_ message: String) -> ExchangeEnd.Outcome {
                .failed(ExchangeFailure(.connection, code: 0, message: message))
            }
            #expect(
                outcomes == [
                    .cancelled, failure("the server reset the stream: REFUSED_STREAM (7)"),
                    failure("the server left without processing it: INTERNAL_ERROR (2)"), .completed,
                ])
            #expect(result.sink.responses.map(\.status) == [200, 0, 404])
        }

        @Test("a connection that ends before its streams, inside a frame's header")
        func cut() throws {
            let steps = [
                Self.preface, Self.settings, .up(Self.frame(1, 5, 1, Self.firstBlock)),
                .down(Self.frame(1, 4, 1, [0x88])),
                .down([0, 0, 5, 0]),
            ]
            #expect(try play(steps).sink.ends.map(\.outcome) == [.cancelled])
            #expect(
                try play(steps, end: .ended).sink.ends.map(\.outcome) == [
                    .failed(
                        ExchangeFailure(
                            .connection, code: 0, message: "the connection ended before the response was whole"))
                ])
            #expect(try play(steps, end: .abandoned).sink.ends.map(\.outcome) == [.abandoned])
        }

        @Test("a server that speaks first, and what it pushes, which is the connection's own")
        func pushes() throws {
            let result = try play([
                Self.settings, Self.preface, .up(Self.frame(1, 5, 1, Self.firstBlock)),
                .down(Self.frame(5, 4, 1, [0, 0, 0, 2] + Self.firstBlock)),
                // The promise has filled the table of this direction.
                .down(Self.frame(1, 5, 2, [0x88, 0xBE])), .down(Self.frame(1, 5, 1, [0x88, 0xBE])),
            ])
            #expect(result.sink.requests.count == 1)
            #expect(
                result.sink.responses.map { String(decoding: $0.fields.bytes, as: UTF8.self) } == [""])
        }

        @Test("a response that is read before the call that has sent its request returns")
        func early() throws {
            let head = Step.up(Self.frame(1, 5, 1, Self.firstBlock))
            let answer = Step.down(Self.frame(1, 4, 1, [0x88]) + Self.frame(0, 1, 1, [1, 2]))
            let inOrder = try StreamPlay([Self.preface, Self.settings, head, answer])
            let early = try StreamPlay([Self.preface, Self.settings, answer, head])
            #expect(early.text == inOrder.text)
            // Without its request it is the connection's own.
            let unasked = try StreamPlay([Self.preface, Self.settings, answer])
            #expect(unasked.sink.requests.isEmpty)
        }

        @Test("a block that cannot be decoded takes the names of all that follow, and no size")
        func undecodable() throws {
            let steps: [Step] = [
                Self.preface, Self.settings, .up(Self.frame(1, 5, 1, Self.firstBlock)),
                .down(Self.frame(1, 5, 1, [0x88])), .up(Self.frame(1, 5, 3, [0xFF, 0xFF])),
                .down(Self.frame(1, 4, 3, [0x88]) + Self.frame(0, 1, 3, [7])),
                .up(Self.frame(1, 5, 5, Self.firstBlock)), .down(Self.frame(1, 5, 5, [0xFF, 0xFF])),
            ]
            let result = try StreamPlay(steps)
            #expect(result.sink.requests.map(\.method) == ["GET", "", ""])
            #expect(result.sink.requests.map(\.path) == ["/", "", ""])
            #expect(result.sink.requests.map(\.httpVersion) == ["2", "2", "2"])
            #expect(
                result.sink.requests.map { StreamPlay.text($0.size) } == [
                    "0+0+17+0+0+9", "0+0+2+0?+0+9", "0+0+17+0?+0+9",
                ])
            #expect(result.sink.responses.map(\.status) == [200, 200, 0])
            #expect(
                result.sink.responses.map { StreamPlay.text($0.size) } == [
                    "0+0+1+0+0+9", "0+0+1+0+1+18", "0+0+2+0?+0+9",
                ])
            #expect(result.sink.ends.map(\.outcome) == [.completed, .completed, .completed])
            #expect(try #require(result.sink.connections.first?.ledger).isClosed)
        }

        @Test("a frame inside a header block ends what can be known of names", arguments: [false, true])
        func disorder(isStray: Bool) throws {
            let result = try StreamPlay([
                Self.preface, Self.settings,
                isStray
                    ? .up(Self.frame(9, 4, 1, Self.firstBlock))
                    : .up(Self.frame(1, 0, 1, Self.firstBlock) + Self.frame(0, 1, 1) + Self.frame(9, 4, 1)),
                .up(Self.frame(1, 5, 3, Self.firstBlock)), .down(Self.frame(1, 5, 3, [0x88])),
            ])
            #expect(result.sink.requests.last?.method == "")
            #expect(result.sink.responses.last?.status == 200)
        }

        @Test("the peer's SETTINGS allow a larger table")
        func tableSize() throws {
            let growth = (0..<60).flatMap { Self.field("x-name-\($0)", String(repeating: "v", count: 80)) }
            // Index 62 + 59 names the first of them, which a table of 4,096 bytes does not hold any more.
            let result = try play([
                Self.preface, .down(Self.frame(4, 0, 0, [0, 1, 0, 0, 0x20, 0])),
                .up(Self.frame(1, 5, 1, [0x3F, 0xE1, 0x3F] + Self.firstBlock + growth)),
                .down(Self.frame(1, 5, 1, [0x88])),
                .up(Self.frame(1, 5, 3, [0x82, 0x86, 0x84, 0x80 | 121])), .down(Self.frame(1, 5, 3, [0x88])),
            ])
            #expect(result.sink.requests.last?.fields.firstValue(of: "x-name-0")?.count == 80)
        }

        @Test("frames that the output takes only later, and frames that are lost on their way")
        func output() throws {
            let steps: [Step] = [
                Self.preface, Self.settings, .up(Self.frame(1, 5, 1, Self.firstBlock)),
                .down(Self.frame(1, 5, 1, [0x88])), .up(Self.frame(1, 5, 3, Self.secondBlock)),
                .down(Self.frame(1, 4, 3, [0x88]) + Self.frame(0, 1, 3, [1, 2])),
                .up(Self.frame(1, 5, 5, Self.secondBlock)), .down(Self.frame(1, 5, 5, [0x88])),
            ]
            let whole = try StreamPlay(steps)
            #expect(try StreamPlay(steps, refused: 0..<7).text == whole.text)
            #expect(try StreamPlay(steps, refused: 3..<5).text == whole.text)
            let lossy = try StreamPlay(steps, dropped: 4..<6)
            let requests = lossy.sink.requests
            #expect(requests.map(\.method) == ["GET", ""])
            #expect(requests.last?.size.evidence != .captured)
            #expect(!lossy.isLost)
        }

        @Test("ends that wait in a buffer until it is full are losses")
        func fullBuffer() throws {
            let count = 3_000
            let first: [Step] = [
                Self.preface, Self.settings, .up(Self.frame(1, 5, 1, Self.firstBlock)),
                .down(Self.frame(1, 5, 1, [0x88])),
            ]
            var rest: [Step] = []
            for number in 1...count {
                let stream = UInt16(2 * number + 1)
                rest += [.up(Self.frame(1, 5, stream, [0x82])), .down(Self.frame(1, 5, stream, [0x88]))]
            }
            let result = try StreamPlay(first + rest, refused: first.count..<(first.count + rest.count))
            #expect(result.isLost)
            #expect(result.sink.ends.map(\.outcome) == [.completed])
            // After that no stream is followed.
            let losses = result.sink.losses.map(\.count).reduce(0, +)
            #expect(losses > 1_000 && losses <= Int64(count), "\(losses)")
        }

        @Test("RST_STREAM and GOAWAY that are read before the call returns that has sent the request")
        func earlyEnds() throws {
            let result = try StreamPlay([
                Self.preface, Self.settings, .down(Self.frame(3, 0, 1, [0, 0, 0, 7])),
                .up(Self.frame(1, 5, 1, Self.firstBlock)),
                .down(Self.frame(7, 0, 0, [0, 0, 0, 1, 0, 0, 0, 2])),
                .up(Self.frame(1, 5, 3, Self.secondBlock)),
            ])
            func failure(_ message: String) -> ExchangeEnd.Outcome {
                .failed(ExchangeFailure(.connection, code: 0, message: message))
            }
            #expect(
                result.sink.ends.map(\.outcome) == [
                    failure("the server reset the stream: REFUSED_STREAM (7)"),
                    failure("the server left without processing it: INTERNAL_ERROR (2)"),
                ])
            #expect(result.sink.requests.map(\.method) == ["GET", "GET"])
        }

        @Test("more streams than are followed: the connection is given up, and nothing is taken for whole")
        func bound() throws {
            let many = (0...1_024).flatMap { Self.frame(1, 5, UInt16(2 * $0 + 1), $0 == 0 ? Self.firstBlock : [0x82]) }
            let result = try StreamPlay([Self.preface, Self.settings, .up(many)])
            #expect(result.isLost)
            #expect(result.sink.requests.count <= 1_024)
            #expect(result.sink.ends.allSatisfy { $0.outcome == .incomplete })
            // One that has ended in the same bytes, before that, is whole.
            let later = (1...1_025).flatMap { Self.frame(1, 5, UInt16(2 * $0 + 1), [0x82]) }
            let after = try StreamPlay([
                Self.preface, Self.settings, .up(Self.frame(1, 4, 1, Self.firstBlock)),
                .down(Self.frame(1, 5, 1, [0x88])), .up(Self.frame(0, 1, 1, [7]) + later),
            ])
            #expect(after.isLost)
            #expect(after.sink.ends.first?.outcome == .completed)
            #expect(after.sink.requests.first?.size.body == .captured(1))
            let within = try StreamPlay([
                Self.preface, Self.settings, .up(Array(many.dropLast(10))),
                .down((0..<1_024).flatMap { Self.frame(1, 5, UInt16(2 * $0 + 1), [0x88]) }),
            ])
            #expect(!within.isLost)
            #expect(within.sink.ends.count == 1_024)
            #expect(within.sink.ends.allSatisfy { $0.outcome == .completed })
        }

        @Test("bytes that are no preface, after a server that spoke as one of HTTP/2")
        func noPreface() throws {
            let result = try StreamPlay([Self.settings, .up(Array("EHLO mail.example.com\r\n and more".utf8))])
            #expect(result.isLost)
            #expect(result.sink.requests.isEmpty)
        }
    }
#endif
