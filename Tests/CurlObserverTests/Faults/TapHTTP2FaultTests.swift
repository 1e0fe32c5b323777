import CCurlClient
import CurlObserver
import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

extension TapTests {
    /// Faults of HTTP/2: connections that are cut, streams that are reset, frames that are none.
    @Suite(.serialized) struct HTTP2Faults {
        /// `:status: 200` from the static table, and a field (RFC 7541, appendix A and section 6.2.2).
        private static let head: [UInt8] = [0x88, 0, 1] + Array("a".utf8) + [1] + Array("b".utf8)

        private static func response(_ stream: UInt32) -> [[UInt8]] {
            [HTTP2Origin.frame(1, flags: 4, stream, head)]
                + (0..<6).map {
                    HTTP2Origin.frame(0, flags: $0 == 5 ? 1 : 0, stream, Script.pattern(count: 30))
                }
        }

        @Sendable private static func perform(
            _ program: Program, _ easy: UnsafeMutableRawPointer?, _ number: Int
        ) -> Int32 {
            // CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            _ = cc_set_long(easy, 84, 5)
            _ = cc_set_long(easy, Int32(CC_TIMEOUT_MS.rawValue), 5_000)
            return cc_perform(easy)
        }

        /// Each row has the outcome that libcurl returned, and its connection adds up to what the server sent.
        ///
        /// Who gives a connection up may leave something unread. A request that a server refuses is sent again.
        private func check(_ faults: FaultDifference, sent: [Int], mayLeave: Bool = false) throws {
            let ends = Dictionary(uniqueKeysWithValues: faults.sink.ends.map { ($0.exchange, $0) })
            let last = Dictionary(faults.sink.requests.map { ($0.path, ends[$0.exchange]) }) { _, last in last }
            let connections = Dictionary(uniqueKeysWithValues: faults.sink.connections.map { ($0.connection, $0) })
            var (wrong, told) = ([String](), 0)
            for request in faults.sink.requests {
                guard let record = ends[request.exchange]?.connection.flatMap({ connections[$0] }) else { continue }
                if record.ledger?.isClosed != true || record.closedAt == nil {
                    wrong.append("\(request.path): \(record)")
                }
            }
            for (number, result) in faults.results.enumerated() {
                guard let end = last["/\(number)"] ?? nil, FaultDifference.describes(end.outcome, result) else {
                    wrong.append("\(number): \(result) is \(String(describing: last["/\(number)"]))")
                    continue
                }
                // A connection that is lost before a request was handed to it is no request's.
                guard let ledger = end.connection.flatMap({ connections[$0] })?.ledger else { continue }
                told += 1
                let received = Int(ledger.down.payload)
                if mayLeave ? received > sent[number] : received != sent[number] {
                    wrong.append("\(number): \(ledger) of \(sent[number])")
                }
            }
            #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5).joined(separator: "\n"))")
            #expect(told > faults.results.count / 2)
        }

        @Test("A connection that is cut after each of its bytes", arguments: [true, false])
        func cuts(isReset: Bool) throws {
            // Two frames of settings come before it.
            let all = Self.response(1).reduce(18) { $0 + $1.count }
            // Around each frame's header, and all.
            let offsets = Rounds.areAll ? Array(0..<all) : (0..<all).filter { $0 < 48 || $0 % 6 == 0 }
            let current = Current()
            let origin = try HTTP2Origin(cut: { _ in HTTP2Origin.Cut(after: current.value, isReset: isReset) }) {
                Self.response($0)
            }
            defer { origin.stop() }
            let faults = FaultDifference()
            try faults.compare(offsets.count, base: "http://127.0.0.1:\(origin.port)") { program, easy, number in
                current.value = offsets[number]
                return Self.perform(program, easy, number)
            }
            origin.waitUntilClosed()
            #expect(origin.sizes[offsets.count..<(2 * offsets.count)].map(\.sent) == offsets)
            try check(faults, sent: offsets)
        }

        /// Which fault is met now.
        private final class Current: Sendable {
            private let number = Atomic(0)
            var value: Int {
                get { number.load(ordering: .sequentiallyConsistent) }
                set { number.store(newValue, ordering: .sequentiallyConsistent) }
            }
        }

        /// Frames that end a stream or a connection, or are against the rules, one list for each connection.
        private static let answers: [[[UInt8]]] = {
            let frame = HTTP2Origin.frame
            func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
            var all: [[[UInt8]]] = []
            let whole = response(1)
            for code in [0, 1, 2, 3, 5, 7, 8, 11, 0xFFFF_FFFF] as [UInt32] {
                let reset = frame(3, 0, 1, number(code))
                all += [[reset], [whole[0], reset], Array(whole.prefix(3)) + [reset], whole + [reset]]
                for last in [0, 1, 0x7FFF_FFFF] as [UInt32] {
                    let goAway = frame(7, 0, 0, number(last) + number(code) + Array("why".utf8))
                    all += [[goAway], [goAway] + whole, Array(whole.prefix(3)) + [goAway] + whole.dropFirst(3)]
                }
            }
            // Each type of frame, with a length, a stream and flags that it must not have.
            for type in UInt8(0)...11 {
                for (stream, count) in [(0, 0), (0, 3), (1, 0), (1, 3), (3, 8), (2, 8), (1, 20_000)] as [(UInt32, Int)]
                {
                    all.append(
                        [whole[0], frame(type, 0x2D, stream, [UInt8](repeating: 0xFF, count: count))] + whole[1...])
                }
            }
            // Fields that HPACK cannot read, and such that are against the rules of HTTP.
            for block in [
                [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x80], [0x3F, 0xFF, 0xFF, 0xFF, 0x7F], [], [0, 1, 65, 1, 66],
            ] {
                all.append([frame(1, 4, 1, block.map { UInt8($0) })] + whole[1...])
            }
            all.append([frame(1, 0, 1, head)] + whole[1...])  // a header section without its end
            all.append(whole[1...] + [whole[0]])
            all.append([[0x48, 0x54, 0x54, 0x50, 0x2F, 0x31, 0x2E, 0x31, 0x20, 0x34, 0x30, 0x30, 13, 10, 13, 10]])
            // Faults that no case describes: a whole response with changed bytes.
            var random = SeededGenerator(seed: 9)
            for _ in 0..<(Rounds.areAll ? 400 : 60) {
                var bytes = whole.flatMap { $0 }
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
                all.append([bytes])
            }
            return all
        }()

        @Test("Streams and connections that are given up, and frames that are none")
        func badFrames() throws {
            let answers = Self.answers.enumerated().filter { Rounds.areAll || $0.offset % 3 == 0 }.map(\.element)
            // Where a length was changed libcurl would wait for the rest of the frame.
            let origins = try answers.map { answer in
                // In one piece: where it is parted decides what libcurl hands on before it sees what is wrong.
                try HTTP2Origin(endsAfterAnswer: true) { _ in [answer.flatMap { $0 }] }
            }
            defer { origins.forEach { $0.stop() } }
            let faults = FaultDifference()
            try faults.compare(answers.count, base: "http://127.0.0.1:1") { program, easy, number in
                cc_set_text(easy, Int32(CC_URL.rawValue), "http://127.0.0.1:\(origins[number].port)/\(number)")
                return Self.perform(program, easy, number)
            }
            origins.forEach { $0.waitUntilClosed() }
            try check(faults, sent: origins.map { $0.sizes.map(\.sent).max() ?? 0 }, mayLeave: true)
            #expect(Set(faults.results).count > 3)
        }
    }
}
