import CCurlClient
import CCurlTap
import CurlObserver
import Foundation
import Testing
import TrafficModel
import WireweightTesting

extension TapTests {
    /// The tap reports of HTTP/2 what the other end wrote and read, stream by stream, and the kernel's count.
    @Suite(.serialized) struct HTTP2 {
        private let sink = RecordingSink()

        /// `:status: 200` from the static table (RFC 7541, appendix A).
        private static let okay: UInt8 = 0x88

        private static func response(_ stream: UInt32, _ body: [UInt8] = Array("hello".utf8)) -> [[UInt8]] {
            [HTTP2Origin.frame(1, flags: 4, stream, [okay]), HTTP2Origin.frame(0, flags: 1, stream, body)]
        }

        /// A handle that asks for HTTP/2, first in HTTP/1.1 unless its options say that the server knows it: libcurl 7.88 uses a
        /// connection again only in the former case.
        private func handle(_ program: Program, _ path: String, knows: Bool = false) -> UnsafeMutableRawPointer? {
            let easy = program.handle(path)
            // CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE or _2_0
            program.set(easy, 84, knows ? 5 : 3)
            return easy
        }

        private func metered(_ origin: HTTP2Origin, _ body: (Program) throws -> Void) throws {
            defer { origin.stop() }
            let observer = try CurlObserver(sink: sink)
            do {
                let program = Program(base: "http://127.0.0.1:\(origin.port)")
                try body(program)
                withExtendedLifetime(program) {}
            }
            #expect(wwt_running() == 0)
            observer.stop()
            #expect(sink.losses == [])
            origin.waitUntilClosed()
            try check(origin)
        }

        /// Each exchange is a stream, and what is left belongs to the connections; all of it is what the kernel counted.
        private func check(_ origin: HTTP2Origin) throws {
            let counts = origin.counts
            let streams = counts.up.keys.filter { $0 != 0 }.sorted()
            let requests = sink.requests
            try #require(requests.count == streams.count)
            let responses = Dictionary(uniqueKeysWithValues: sink.responses.map { ($0.exchange, $0.size) })
            // Frames that libcurl sends for a stream after its exchange, such as RST_STREAM, belong to no message.
            var late = 0
            // Streams of one connection are numbered in the order in which they began, as exchanges are.
            for (request, stream) in zip(requests, streams) {
                let (up, down) = (counts.up[stream] ?? .init(), counts.down[stream] ?? .init())
                #expect(request.size.evidence == .captured)
                if request.httpVersion == "2" {
                    #expect(request.size.startLine == .captured(0))
                    #expect(request.size.fields == .captured(up.fields))
                    #expect(request.size.body == .captured(up.data))
                }
                let missing = up.total - Int(request.size.known.bytes)
                #expect([0, up.others].contains(missing), "stream \(stream): \(missing) of \(up) are missing")
                late += missing
                let size = responses[request.exchange] ?? .nothing
                // libcurl does not show the empty line after a 101.
                #expect(size.evidence == (request.httpVersion == "2" ? .captured : .reconstructed))
                #expect(size.body == .captured(down.data))
                #expect(size.known.bytes == Int64(down.total), "stream \(stream) down")
            }
            for connection in sink.connections {
                let ledger = try #require(connection.ledger)
                #expect(ledger.isClosed, "\(ledger)")
                #expect(ledger.evidence == .captured)
                #expect(connection.applicationProtocol == "h2c")
                #expect(connection.closedAt != nil)
            }
            let ledgers = sink.connections.compactMap(\.ledger)
            #expect(ledgers.reduce(0) { $0 + $1.up.http2 } == Int64((counts.up[0]?.total ?? 0) + late))
            #expect(ledgers.reduce(0) { $0 + $1.down.http2 } == Int64(counts.down[0]?.total ?? 0))
            try PassiveComparison(origin).check(requests, responses)
        }

        @Test("one after the other on one connection: fields shrink as HPACK learns")
        func sequence() throws {
            let origin = try HTTP2Origin { Self.response($0) }
            try metered(origin) { program in
                let easy = handle(program, "/a")
                for _ in 0..<3 { program.perform(easy) }
            }
            #expect(sink.requests.map(\.httpVersion) == ["1.1", "2", "2"])
            let fields = sink.requests.map(\.size.fields.bytes)
            #expect(fields[2] < fields[1])
            #expect(sink.connections.count == 1)
            #expect(sink.ends.map(\.reusedConnection) == [false, true, true])
        }

        @Test("a server that is known to speak it")
        func priorKnowledge() throws {
            let origin = try HTTP2Origin { Self.response($0) }
            try metered(origin) { $0.perform(handle($0, "/a", knows: true)) }
            #expect(sink.requests.map(\.httpVersion) == ["2"])
        }

        @Test("redirects that libcurl follows itself: the frames of an attempt are reported before the next begins")
        func redirect() throws {
            // `:status: 302` and `location: /b`, not indexed.
            let found: [UInt8] = [0x08, 3] + Array("302".utf8) + [0x0F, 31, 2] + Array("/b".utf8)
            let origin = try HTTP2Origin { stream in
                guard stream % 4 == 1 else { return Self.response(stream) }
                return [
                    HTTP2Origin.frame(1, flags: 4, stream, found),
                    HTTP2Origin.frame(0, flags: 1, stream, Array("over there".utf8)),
                ]
            }
            try metered(origin) { program in
                let easy = handle(program, "/a")
                // CURLOPT_FOLLOWLOCATION
                program.set(easy, 52, 1)
                for _ in 0..<3 { program.perform(easy) }
            }
            #expect(sink.responses.map(\.status) == [302, 200, 302, 200, 302, 200])
            #expect(sink.requests.map(\.resendCount) == [0, 1, 0, 1, 0, 1])
            #expect(sink.connections.count == 1)
        }

        @Test("padding, priorities, continuations, interim responses and trailers")
        func frames() throws {
            // `:status: 103` (literal, name from the static table), `link: x`, and a trailer `x: y`, not indexed.
            let early: [UInt8] = [0x08, 3] + Array("103".utf8) + [0, 4] + Array("link".utf8) + [1] + Array("x".utf8)
            let trailer: [UInt8] = [0, 1] + Array("x".utf8) + [1] + Array("y".utf8)
            let field: [UInt8] = [0, 1] + Array("a".utf8) + [1] + Array("b".utf8)
            let origin = try HTTP2Origin { stream in
                [
                    HTTP2Origin.frame(1, flags: 4, stream, early),
                    HTTP2Origin.frame(1, flags: 0x28, stream, [3, 0, 0, 0, 0, 15, Self.okay, 0, 0, 0]),
                    HTTP2Origin.frame(9, flags: 0, stream, field),
                    HTTP2Origin.frame(9, flags: 4, stream, []),
                    HTTP2Origin.frame(0, flags: 8, stream, [5] + Array("hello".utf8) + [0, 0, 0, 0, 0]),
                    HTTP2Origin.frame(0, stream, Array(" world".utf8)),
                    HTTP2Origin.frame(1, flags: 5, stream, trailer),
                ]
            }
            try metered(origin) { program in
                program.perform(handle(program, "/a", knows: true))
                #expect(program.text.contains("result 0"))
            }
            let size = try #require(sink.responses.first?.size)
            #expect(size.interim == .captured(9 + early.count))
            #expect(size.fields == .captured(1 + field.count))
            #expect(size.body == .captured(11))
        }

        @Test("a byte at a time")
        func slow() throws {
            let origin = try HTTP2Origin(isSlow: true) { Self.response($0, [UInt8](repeating: 7, count: 300)) }
            try metered(origin) { program in
                let easy = handle(program, "/a")
                for _ in 0..<2 { program.perform(easy) }
            }
        }

        @Test("thirty streams at once on one connection")
        func multiplexed() throws {
            let origin = try HTTP2Origin { stream in
                [HTTP2Origin.frame(1, flags: 4, stream, [Self.okay])]
                    + (0..<8).map {
                        HTTP2Origin.frame(0, flags: $0 == 7 ? 1 : 0, stream, [UInt8](repeating: 1, count: 2_000))
                    }
            }
            try metered(origin) { program in
                let multi = cc_multi_init()
                // The first opens the connection that the others then share.
                let first = handle(program, "/first")
                cc_multi_add(multi, first)
                program.run(multi)
                cc_multi_remove(multi, first)
                let handles = (0..<30).map { handle(program, "/\($0)") }
                for easy in handles { cc_multi_add(multi, easy) }
                program.run(multi)
                for easy in handles { cc_multi_remove(multi, easy) }
                cc_multi_cleanup(multi)
            }
            #expect(origin.connectionCount == 1)
            #expect(sink.requests.count == 31)
            #expect(sink.connections.first?.load.exchanges == 31)
        }

        @Test("an upload, with the windows that the server opens for it")
        func upload() throws {
            let origin = try HTTP2Origin { Self.response($0) }
            try metered(origin) { program in
                let easy = handle(program, "/up", knows: true)
                cc_set_text(easy, Int32(CC_COPYPOSTFIELDS.rawValue), String(repeating: "x", count: 300_000))
                program.perform(easy)
                #expect(program.text.contains("result 0"))
            }
            #expect(sink.requests.first?.size.body == .captured(300_000))
        }

        @Test("a stream that the server resets in mid-body, and one that it refuses")
        func resets() throws {
            let origin = try HTTP2Origin { stream in
                stream == 1
                    ? [
                        HTTP2Origin.frame(1, flags: 4, stream, [Self.okay]), HTTP2Origin.frame(0, stream, [1, 2, 3]),
                        HTTP2Origin.frame(3, stream, [0, 0, 0, 2]),
                    ] : [HTTP2Origin.frame(3, stream, [0, 0, 0, 11])]
            }
            try metered(origin) { program in
                let easy = handle(program, "/a")
                for _ in 0..<2 { program.perform(easy) }
            }
            #expect(sink.ends.map { $0.outcome == .completed } == [false, false])
            #expect(sink.responses.first?.size.body == .captured(3))
        }

        @Test("a transfer that the program takes back: the reset that libcurl sends for it is its last frame")
        func cancelled() throws {
            let origin = try HTTP2Origin { stream in
                stream == 1
                    ? [
                        HTTP2Origin.frame(1, flags: 4, stream, [Self.okay]),
                        HTTP2Origin.frame(0, stream, Array("abc".utf8)),
                    ]
                    : Self.response(stream)
            }
            try metered(origin) { program in
                let multi = cc_multi_init()
                let easy = handle(program, "/a")
                cc_multi_add(multi, easy)
                program.run(multi, until: "abc")
                cc_multi_remove(multi, easy)
                let other = handle(program, "/b")
                cc_multi_add(multi, other)
                program.run(multi)
                cc_multi_remove(multi, other)
                cc_multi_cleanup(multi)
            }
            #expect(sink.ends.map(\.outcome) == [.cancelled, .completed])
        }
    }
}
