import CCurlClient
import CCurlTap
import CurlObserver
import Foundation
import Testing
import TrafficModel
import WireweightTesting

/// The same faults, met by a program without the tap and with it.
///
/// Each has a number, and the program asks for `/NUMBER`, so that rows and the origin's log can be put side by side.
final class FaultDifference {
    let sink = RecordingSink()
    /// What libcurl said each came to, with the tap.
    private(set) var results: [Int32] = []

    /// Meets each fault without the tap and then with it; whatever the program sees must be the same.
    ///
    /// - Parameters:
    ///   - count: how many faults there are.
    ///   - base: where the program asks.
    ///   - isSideBySide: whether they are met at the same time.
    ///   - joinsContent: whether the pieces in which content comes may differ.
    ///   - meet: makes the handle's transfer; libcurl's result.
    /// - Throws: where the tap cannot be started.
    func compare(
        _ count: Int, base: String, isSideBySide: Bool = false, joinsContent: Bool = false,
        _ meet: @escaping @Sendable (_ program: Program, _ easy: UnsafeMutableRawPointer?, _ number: Int) -> Int32
    ) throws {
        func joined(_ met: Met) -> Met {
            joinsContent ? Met(result: met.result, text: Self.joiningContent(met.text)) : met
        }
        let without = Self.meetAll(count, base, isSideBySide, meet).map(joined)
        let observer = try CurlObserver(sink: sink)
        let with = Self.meetAll(count, base, isSideBySide, meet).map(joined)
        #expect(wwt_running() == 0)
        observer.stop()
        #expect(wwt_hooked_slots() == 0)
        #expect(sink.losses == [])
        results = with.map(\.result)
        // Some outcomes are races, such as whether a reset is met while sending or while receiving: what is met with the
        // tap must be met without it at some time, too.
        let different = (0..<count).filter { number in
            with[number] != without[number]
                && !(0..<20).contains { _ in joined(Self.meet(number, base, meet)) == with[number] }
        }
        #expect(different == [])
        for number in different.prefix(3) {
            let (shown, expected) = Self.fromDifference(with[number].text, without[number].text)
            Issue.record("\(number): …\(shown.debugDescription), instead of …\(expected.debugDescription)")
        }
    }

    /// Both texts from shortly before they differ.
    private static func fromDifference(_ one: String, _ other: String) -> (String, String) {
        let same = zip(one.utf8, other.utf8).prefix { $0 == $1 }.count
        func rest(_ text: String) -> String {
            String(decoding: text.utf8.dropFirst(max(0, same - 100)).prefix(600), as: UTF8.self)
        }
        return (rest(one), rest(other))
    }

    private struct Met: Equatable {
        var result: Int32
        var text: String
    }

    /// Moves the content that the debug function got, piece by piece, to the end of the text, without its pieces.
    ///
    /// How libcurl divides a slow stream depends on how busy the machine is.
    private static func joiningContent(_ text: String) -> String {
        let mark = Array("debug 3 ".utf8)
        var rest = Array(text.utf8)[...]
        var (others, content): ([UInt8], [UInt8]) = ([], [])
        while let byte = rest.first {
            let digits = rest.starts(with: mark) ? rest.dropFirst(mark.count).prefix { $0 != 0x20 } : []
            guard let count = Int(String(decoding: digits, as: UTF8.self)) else {
                others.append(byte)
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(mark.count + digits.count + 1)
            content += rest.prefix(count)
            // A line end follows each piece.
            rest = rest.dropFirst(count + 1)
        }
        return String(decoding: others + content, as: UTF8.self)
    }

    private static func meetAll(
        _ count: Int, _ base: String, _ isSideBySide: Bool,
        _ meet: @escaping @Sendable (Program, UnsafeMutableRawPointer?, Int) -> Int32
    ) -> [Met] {
        guard isSideBySide else { return (0..<count).map { Self.meet($0, base, meet) } }
        let all = Collected(count: count)
        let group = DispatchGroup()
        for number in 0..<count {
            group.enter()
            Thread.detachNewThread {
                all.set(number, Self.meet(number, base, meet))
                group.leave()
            }
        }
        group.wait()
        return all.values
    }

    private static func meet(
        _ number: Int, _ base: String, _ meet: (Program, UnsafeMutableRawPointer?, Int) -> Int32
    ) -> Met {
        let program = Program(base: base)
        let easy = program.handle("/\(number)")
        let result = meet(program, easy, number)
        program.note("result \(result)")
        // How long it took is another in each run; and that a name is none libcurl 7.88 says twice when the thread that asks
        // for it ends just then (5 of 3,000 transfers without the tap).
        let text = program.text.replacing(/after [0-9]+ m/, with: "after m")
            .replacing(/(debug 0 [0-9]+ Could not resolve host[^\n]*\n+)\1/) { $0.1 }
        return Met(result: result, text: text)
    }

    private final class Collected: @unchecked Sendable {
        // Guarded by the lock.
        private var kept: [Met]
        private let lock = NSLock()

        init(count: Int) { kept = Array(repeating: Met(result: -1, text: ""), count: count) }

        func set(_ number: Int, _ met: Met) { lock.withLock { kept[number] = met } }

        var values: [Met] { lock.withLock { kept } }
    }
}

extension FaultDifference {
    /// Puts each row beside the origin's log, the kernel's count and libcurl's result.
    func checkRows(_ origin: LoopbackOrigin) throws {
        #expect(origin.waitUntilIdle())
        // The program has asked for each twice or more; the second time was metered.
        let seen = Dictionary(grouping: origin.exchanges) { $0.target }.compactMapValues { $0.dropFirst().first }
        let requests = Dictionary(sink.requests.map { ($0.path, $0) }) { first, _ in first }
        let responses = Dictionary(uniqueKeysWithValues: sink.responses.map { ($0.exchange, $0) })
        let ends = Dictionary(uniqueKeysWithValues: sink.ends.map { ($0.exchange, $0) })
        let connections = Dictionary(uniqueKeysWithValues: sink.connections.map { ($0.connection, $0) })
        try #require(sink.requests.count == results.count)
        var wrong: [String] = []
        for (number, result) in results.enumerated() {
            let request = try #require(requests["/\(number)"])
            let end = try #require(ends[request.exchange])
            let log = try #require(seen["/\(number)"])
            let size = responses[request.exchange]?.size ?? .nothing
            if Self.describes(end.outcome, result) == false { wrong.append("\(number): \(result) is \(end.outcome)") }
            if request.size.known.bytes != log.request.total {
                wrong.append("\(number): up \(request.size), not \(log.request)")
            }
            if size.known.bytes != log.response.total {
                wrong.append("\(number): down \(size), not \(log.response)")
            }
            guard let record = end.connection.flatMap({ connections[$0] }), let ledger = record.ledger else {
                wrong.append("\(number): no connection")
                continue
            }
            if !ledger.isClosed || ledger.down.payload != log.response.total { wrong.append("\(number): \(ledger)") }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(5).joined(separator: "\n"))")
    }

    /// Whether a row's outcome is the one that libcurl returned to the program.
    static func describes(_ outcome: ExchangeEnd.Outcome, _ result: Int32) -> Bool {
        switch outcome {
        case .completed: result == 0
        case .timedOut: result == 28
        case .cancelled: result == 42
        default: outcome.failure?.domain == .libcurl && outcome.failure?.code == Int(result) && result != 0
        }
    }
}
