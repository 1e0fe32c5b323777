import CCurlClient
import CCurlTap
import CurlObserver
import Foundation
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

extension TapTests {
    /// Hundreds of faults: each affects the program in the same way with the tap and without it, and its row is true.
    @Suite(.serialized) struct Faults {
        /// A response, and where it is cut.
        struct Cut: Sendable, CustomTestStringConvertible {
            var name: String
            var response: [Script.Segment]
            var offsets: Range<Int>
            var isReset = true
            var testDescription: String { name }
        }

        private static func segments(_ script: Script) -> [Script.Segment] {
            script.steps.flatMap { step in
                if case .write(let segments) = step.action { segments } else { [Script.Segment]() }
            }
        }

        /// Interim and final head, cookies, and what the body is.
        private static func response(_ body: Script.Body) -> [Script.Segment] {
            let fields = [
                "Date: Thu, 01 Jan 2026 00:00:00 GMT", "Set-Cookie: a=b; Path=/",
                "X-Long: " + String(repeating: "x", count: 90),
            ]
            return segments(.interim("103 Early Hints", fields: ["Link: </style.css>; rel=preload"]))
                + segments(.respond(fields: fields, body: body))
        }

        private static let content = Script.pattern(count: 380)
        private static let chunked = response(
            .chunked(content, sizes: [1, 15, 16, 255], trailers: ["X-Sum: 1", "X-More: two"]))
        private static let headSize = chunked.prefix { $0.part != .framing }.reduce(0) { $0 + $1.bytes.count }
        private static let chunkedSize = chunked.reduce(0) { $0 + $1.bytes.count }

        static let cuts: [Cut] =
            [
                Cut(name: "a reset after each of the first 600 bytes", response: chunked, offsets: 0..<600),
                Cut(
                    name: "each truncation of a chunked body", response: chunked, offsets: headSize..<chunkedSize,
                    isReset: false),
            ]
            + (Rounds.areAll
                ? [
                    Cut(
                        name: "a reset after each byte of a body with a length", response: response(.sized(content)),
                        offsets: 0..<600),
                    Cut(
                        name: "an end after each byte of a body with a length", response: response(.sized(content)),
                        offsets: 0..<600, isReset: false),
                    Cut(
                        name: "a reset after each byte of a body up to the end",
                        response: response(.untilClose(content)), offsets: 0..<600),
                    Cut(
                        name: "an end after each byte of a body up to the end",
                        response: response(.untilClose(content)), offsets: 0..<600, isReset: false),
                    Cut(
                        name: "an end after each byte of a head", response: chunked, offsets: 0..<headSize,
                        isReset: false),
                ] : [])

        private static func prefix(_ segments: [Script.Segment], _ count: Int) -> [Script.Segment] {
            var left = count
            return segments.compactMap { segment in
                let taken = min(left, segment.bytes.count)
                left -= taken
                return taken > 0 ? Script.Segment(Array(segment.bytes.prefix(taken)), as: segment.part) : nil
            }
        }

        private static func number(_ request: OriginRequest) -> Int { Int(request.path.dropFirst()) ?? 0 }

        /// With the program's own debug function, so that each callback is compared.
        @Sendable private static func perform(
            _ program: Program, _ easy: UnsafeMutableRawPointer?, _ number: Int
        ) -> Int32 {
            cc_set_debug(easy, program.record)
            _ = cc_set_long(easy, Int32(CC_VERBOSE.rawValue), 1)
            return cc_perform(easy)
        }

        private func withOrigin(
            _ handler: @escaping @Sendable (OriginRequest) -> Script, _ body: (LoopbackOrigin) throws -> Void
        ) throws {
            let origin = LoopbackOrigin(handler: handler)
            try origin.start()
            defer { origin.stop() }
            try body(origin)
        }

        @Test(arguments: cuts)
        func aConnectionThatIsCut(_ cut: Cut) throws {
            try withOrigin { request in
                let count = cut.offsets.lowerBound + Self.number(request)
                return Script([.write(Self.prefix(cut.response, count))]) + (cut.isReset ? .reset : .close)
            } _: { origin in
                let faults = FaultDifference()
                try faults.compare(cut.offsets.count, base: origin.address, Self.perform)
                try faults.checkRows(origin)
                #expect(faults.results.contains { $0 != 0 })
            }
        }

        @Test("A response that comes a byte at a time")
        func slowResponses() throws {
            let responses = [
                Self.chunked, Self.response(.sized(Self.content)), Self.response(.untilClose(Self.content)),
            ]
            try withOrigin { request in
                let number = Self.number(request)
                let bytes = responses[number].flatMap { segment in
                    segment.bytes.flatMap {
                        [Script.Step.write([Script.Segment([$0], as: segment.part)]), .pause(milliseconds: 1)]
                    }
                }
                return Script(bytes) + (number == 2 ? .close : Script([]))
            } _: { origin in
                let faults = FaultDifference()
                try faults.compare(
                    responses.count, base: origin.address, isSideBySide: true, joinsContent: true, Self.perform)
                try faults.checkRows(origin)
                #expect(faults.results == [0, 0, 0])
            }
        }

        @Test("A response that stalls until the program's patience is over")
        func stalls() throws {
            let step = Rounds.areAll ? 8 : 24
            try withOrigin { request in
                Script([.write(Self.prefix(Self.chunked, Self.number(request) * step))]) + .hold
            } _: { origin in
                let faults = FaultDifference()
                try faults.compare((Self.chunkedSize - 1) / step, base: origin.address, isSideBySide: true) {
                    program, easy, number in
                    _ = cc_set_long(easy, Int32(CC_TIMEOUT_MS.rawValue), 1_000)
                    return Self.perform(program, easy, number)
                }
                try faults.checkRows(origin)
                #expect(Set(faults.results) == [28])
            }
        }

        @Test("No name, no server: the error is the same, and the row is an attempt of no bytes")
        func unreachable() throws {
            let port = try ClosedPort()
            let faults = FaultDifference()
            try faults.compare(12, base: "http://127.0.0.1:\(port.number)") { program, easy, number in
                if number % 2 == 1 {
                    cc_set_text(easy, Int32(CC_URL.rawValue), "http://no-such-host-\(number).invalid/\(number)")
                }
                return Self.perform(program, easy, number)
            }
            #expect(Set(faults.results) == [6, 7])
            #expect(faults.sink.requests.map(\.size) == Array(repeating: .nothing, count: 12))
            #expect(faults.sink.responses.isEmpty)
            for (end, result) in zip(faults.sink.ends, faults.results) {
                #expect(FaultDifference.describes(end.outcome, result), "\(end)")
            }
        }

        @Test("A fork at any point of a transfer, with a child that makes one of its own")
        func forks() throws {
            try withOrigin { request in
                guard request.path != "/child" else { return .respond(body: .text("child")) }
                return Script(
                    Self.chunked.flatMap { segment in
                        [Script.Step.write([segment]), .pause(milliseconds: 2)]
                    })
            } _: { origin in
                let faults = FaultDifference()
                let child = origin.address + "/child"
                try faults.compare(Rounds.areAll ? 60 : 20, base: origin.address) { program, easy, number in
                    let multi = cc_multi_init()
                    cc_multi_add(multi, easy)
                    var (steps, status) = (0, Int32(0))
                    while cc_multi_step(multi, 20) > 0 {
                        if steps == number { status = cc_in_child(easy, child) }
                        steps += 1
                    }
                    program.note("child \(status)")
                    var result: Int32 = -1
                    _ = cc_multi_done(multi, &result)
                    cc_multi_remove(multi, easy)
                    cc_multi_cleanup(multi)
                    return result
                }
                try faults.checkRows(origin)
                #expect(Set(faults.results) == [0])
            }
        }

        @Test("Signals without end in mid-transfer, which interrupt whatever waits")
        func signals() throws {
            try withOrigin { _ in
                Script(
                    Self.chunked.flatMap { segment in
                        [Script.Step.write([segment]), .pause(milliseconds: 5)]
                    })
            } _: { origin in
                let faults = FaultDifference()
                try faults.compare(Rounds.areAll ? 100 : 10, base: origin.address) { program, easy, _ in
                    cc_set_text(easy, Int32(CC_COPYPOSTFIELDS.rawValue), String(repeating: "x", count: 100_000))
                    var signals: Int32 = 0
                    let result = cc_perform_pestered(easy, &signals)
                    if signals < 5 { program.note("\(signals) signals") }
                    return result
                }
                try faults.checkRows(origin)
                #expect(Set(faults.results) == [0])
            }
        }
    }
}
