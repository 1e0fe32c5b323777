import CCurlClient
import CCurlTap
import CurlObserver
import Foundation
import Locks
import Testing
import TrafficModel
import WireweightTesting

extension TapTests {
    /// The tap reports what the origin saw.
    @Suite(.serialized) struct Metering {
        private let origin: LoopbackOrigin
        private let sink = RecordingSink()

        init() throws { origin = try makeOrigin() }

        /// Meters what the body does, and compares the sums with the origin's.
        private func metered(exchanges: Int, _ body: (Program) throws -> Void) throws {
            defer { origin.stop() }
            let observer = try CurlObserver(sink: sink)
            let program = Program(base: origin.address)
            try body(program)
            #expect(wwt_running() == 0)
            observer.stop()
            #expect(wwt_hooked_slots() == 0)
            #expect(sink.losses == [])
            #expect(sink.requests.count == exchanges)
            #expect(sink.requests.reduce(0) { $0 + $1.size.known.bytes } == Int64(origin.receivedBytes))
            #expect(sink.responses.reduce(0) { $0 + $1.size.known.bytes } == Int64(origin.sentBytes))
            withExtendedLifetime(program) {}
        }

        private func parts(_ size: WireSize) -> [Int64] {
            [size.startLine, size.fields, size.interim, size.body, size.framing].map(\.bytes.bytes)
        }

        @Test func oneExchangeIsExactPartByPart() throws {
            try metered(exchanges: 1) { $0.perform($0.handle("/chunked")) }
            let seen = try #require(origin.exchanges.first)
            #expect(sink.ends.map(\.outcome) == [.completed])
            #expect(sink.responses.first?.size.body == .captured(seen.response.body))
            #expect(sink.responses.first?.size.framing == .captured(seen.response.framing))
            #expect(sink.connections.count == 1)
        }

        @Test func aRedirectInOneTransferIsOneTask() throws {
            try metered(exchanges: 2) { program in
                let easy = program.handle("/redirect")
                program.set(easy, CC_FOLLOWLOCATION.rawValue, 1)
                program.perform(easy)
            }
            #expect(sink.requests.map(\.resendCount) == [0, 1])
            #expect(sink.requests.map(\.path) == ["/redirect", "/ok"])
            #expect(sink.ends.map(\.reusedConnection) == [false, true])
        }

        @Test func aRedirectToAClosedPortIsARedirectAndAnAttempt() throws {
            try metered(exchanges: 2) { program in
                let easy = program.handle("/nowhere")
                program.set(easy, CC_FOLLOWLOCATION.rawValue, 1)
                program.perform(easy)
            }
            #expect(sink.requests.map(\.resendCount) == [0, 1])
            #expect(sink.requests.last?.url == "http://127.0.0.1:1/gone")
            #expect(sink.requests.last?.task == sink.requests.first?.exchange)
            #expect(sink.ends.map(\.outcome.failure?.code) == [nil, 7])
            #expect(sink.ends.map { $0.connection == nil } == [false, true])
        }

        /// libcurl 7 says of such a transfer that it took microseconds.
        @Test func aTimeoutOnAReusedConnectionTookAsLongAsTheProgramWaited() throws {
            try metered(exchanges: 2) { program in
                let easy = program.handle("/none")
                program.perform(easy)
                cc_set_text(easy, Int32(CC_URL.rawValue), "\(program.base)/silent")
                program.set(easy, CC_TIMEOUT_MS.rawValue, 300)
                program.perform(easy)
            }
            #expect(sink.ends.map(\.outcome) == [.completed, .timedOut])
            #expect(sink.ends.map(\.reusedConnection) == [false, true])
            let waited = try #require(sink.ends.last?.timings)
            #expect((waited.total ?? 0) >= 300_000_000 && (waited.wait ?? 0) > 200_000_000)
            for (request, end) in zip(sink.requests, sink.ends) {
                #expect(Exchange(request: request, end: end).timeFaults == [])
            }
        }

        /// A socket that is full takes a head in pieces of a few kilobytes.
        @Test func aHeadThatIsSentInPiecesIsAHead() throws {
            try metered(exchanges: 1) { program in
                let easy = program.handle("/ok")
                cc_set_small_buffer(easy)
                cc_set_text(easy, Int32(CC_USERAGENT.rawValue), String(repeating: "a", count: 700_000))
                cc_set_text(easy, Int32(CC_COPYPOSTFIELDS.rawValue), "hello=world")
                program.perform(easy)
            }
            let size = try #require(sink.requests.first?.size)
            #expect(size.body == .captured(11))
            #expect(size.startLine == .captured(19))
            #expect(size.fields.bytes > 700_000)
        }

        @Test func aURLWithoutASchemeIsMetered() throws {
            try metered(exchanges: 1) { program in
                let easy = program.handle("/ok")
                cc_set_text(easy, Int32(CC_URL.rawValue), "127.0.0.1:\(origin.port)/ok")
                program.perform(easy)
            }
            #expect(sink.requests.map(\.host) == ["127.0.0.1"])
            #expect(sink.requests.map(\.port) == [Int(origin.port)])
        }

        @Test func aHandleThatIsUsedAgainTellsEachTransfer() throws {
            try metered(exchanges: 5) { program in
                let easy = program.handle("/ok")
                for _ in 0..<5 { program.perform(easy) }
            }
            #expect(sink.ends.map(\.reusedConnection) == [false, true, true, true, true])
            #expect(Set(sink.ends.map(\.connection)).count == 1)
        }

        @Test func sixteenThreadsAreToldApart() throws {
            let base = origin.address
            try metered(exchanges: 320) { _ in
                let group = DispatchGroup()
                for thread in 0..<16 {
                    group.enter()
                    Thread.detachNewThread {
                        let program = Program(base: base)
                        for round in 0..<20 {
                            let easy = program.handle(round % 2 == 0 ? "/ok" : "/chunked")
                            cc_set_text(easy, Int32(CC_USERAGENT.rawValue), "thread-\(thread)")
                            program.perform(easy)
                        }
                        group.leave()
                    }
                }
                group.wait()
            }
            #expect(sink.ends.allSatisfy { $0.outcome == .completed })
            #expect(Set(sink.requests.compactMap { $0.fields.firstValue(of: "User-Agent") }).count == 16)
        }

        @Test func fiftyHandlesInOneMultiAreToldApart() throws {
            try metered(exchanges: 50) { program in
                let multi = cc_multi_init()
                let handles = (0..<50).map { program.handle("/ok?\($0)") }
                for easy in handles { cc_multi_add(multi, easy) }
                program.run(multi)
                for easy in handles { cc_multi_remove(multi, easy) }
                cc_multi_cleanup(multi)
            }
            #expect(Set(sink.requests.compactMap(\.query)) == Set((0..<50).map(String.init)))
            #expect(sink.ends.allSatisfy { $0.outcome == .completed })
        }

        @Test func aHandleThatIsTakenBackInFlightIsCancelled() throws {
            try metered(exchanges: 1) { program in
                let multi = cc_multi_init()
                let easy = program.handle("/hold")
                cc_multi_add(multi, easy)
                program.run(multi, until: "hello")
                cc_multi_remove(multi, easy)
                cc_multi_cleanup(multi)
            }
            #expect(sink.ends.map(\.outcome) == [.cancelled])
            #expect(sink.responses.map(\.size.body) == [.captured(5)])
        }

        /// As libcurl's example multi-single.c does, with several.
        @Test func whatEndedWellIsCompletedWhereTheProgramNeverAsksForResults() throws {
            let paths = ["/ok", "/chunked", "/none", "/until", "/short"]
            try metered(exchanges: paths.count) { program in
                let multi = cc_multi_init()
                let handles = paths.map { program.handle($0) }
                for easy in handles { cc_multi_add(multi, easy) }
                program.runBlindly(multi)
                for easy in handles { cc_multi_remove(multi, easy) }
                cc_multi_cleanup(multi)
            }
            let outcomes = Dictionary(uniqueKeysWithValues: sink.ends.map { ($0.exchange, $0.outcome.name) })
            let last = Dictionary(sink.requests.map { ($0.path, $0.exchange) }) { $1 }
            #expect(
                paths.map { path in last[path].flatMap { outcomes[$0] } } == [
                    "completed", "completed", "completed", "completed", "failed",
                ])
        }

        @Test func aHandleThatIsCleanedUpInFlightIsCancelled() throws {
            try metered(exchanges: 1) { program in
                let multi = cc_multi_init()
                let easy = cc_init()
                cc_set_text(easy, Int32(CC_URL.rawValue), origin.address + "/hold")
                cc_set_body(easy, program.record)
                cc_multi_add(multi, easy)
                program.run(multi, until: "hello")
                cc_cleanup(easy)
                cc_multi_cleanup(multi)
            }
            #expect(sink.ends.map(\.outcome) == [.cancelled])
        }

        @Test func aHandleThatAMultiRefusedIsTappedTheNextTime() throws {
            try metered(exchanges: 1) { program in
                let easy = program.handle("/ok")
                #expect(cc_multi_add(nil, easy) != 0)
                #expect(wwt_running() == 0)
                program.perform(easy)
            }
            #expect(sink.ends.map(\.outcome) == [.completed])
        }

        @Test func aRefusedConnectionIsAnAttemptOfNoBytes() throws {
            let port = try ClosedPort()
            try metered(exchanges: 1) { program in
                let easy = program.handle("/")
                cc_set_text(easy, Int32(CC_URL.rawValue), "http://127.0.0.1:\(port.number)/x")
                cc_set_text(easy, Int32(CC_COPYPOSTFIELDS.rawValue), "hello=world")
                program.perform(easy)
            }
            #expect(sink.requests.map(\.size) == [.nothing])
            #expect(sink.requests.map(\.method) == ["POST"])
            guard sink.ends.first?.outcome.failure?.code == 7 else {
                Issue.record("\(sink.ends)")
                return
            }
        }

        @Test func errnoIsTheProgramsAfterEveryCall() throws {
            try metered(exchanges: 1) { program in
                let easy = program.handle("/ok")
                let multi = cc_multi_init()
                for step in [{ cc_multi_add(multi, easy) }, { cc_set_long(easy, Int32(CC_VERBOSE.rawValue), 0) }] {
                    cc_set_errno(77)
                    _ = step()
                    #expect(cc_errno() == 77)
                }
                program.run(multi)
                cc_set_errno(77)
                _ = cc_multi_remove(multi, easy)
                #expect(cc_errno() == 77)
                cc_multi_cleanup(multi)
            }
        }
    }
}
