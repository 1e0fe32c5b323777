import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@Suite(
    "What passes around the calls that are hooked is metered, or said",
    .enabled(if: Built.isComplete, "needs 'make build'"))
struct AroundTests {
    private struct Seen: Equatable, CustomStringConvertible {
        /// Outcome, and bytes of the request and of the response.
        var rows: [String] = []
        /// Why messages were not seen, if so, and bytes up and down by the kernel's count.
        var connections: [String] = []

        var description: String { "\(rows) \(connections)" }
    }

    /// Runs the program alone and metered, which must print the same; returns what was seen at each end, and the summary.
    private func compare(_ kind: String) throws -> (seen: [TrafficDirection: Seen], summary: String)? {
        try withFolder { folder in
            let store = folder.appendingPathComponent("db").path
            // A program that hangs must not hang the tests.
            let words = ["timeout", "60", try Built.program("around"), kind]
            let plain = try launch(words)
            #expect(plain.status == 0 && !plain.outputText.isEmpty, "\(plain)")
            // The system may not allow io_uring.
            guard plain.outputText != "none\n" else { return nil }
            let ended = try launch([Built.command, "run", "--db", store, "--"] + words)
            #expect(ended.status == 0 && ended.outputText == plain.outputText, "\(ended)")
            var seen: [TrafficDirection: Seen] = [.called: Seen(), .served: Seen()]
            for row in try Store(path: store).exchanges() {
                let totals = ["request", "response"].map { (row[$0] as? [String: Any])?["total"] as? Int }
                let direction: TrafficDirection = row["direction"] as? String == "served" ? .served : .called
                seen[direction]?.rows.append(
                    "\(row["outcome"] as? String ?? "") \(totals.map { $0.map(String.init) ?? "-" }.joined(separator: " "))"
                )
            }
            for connection in try StoreReader.open(store).connections() {
                let reason = connection.unseen.map { "\($0.reason.rawValue) " } ?? ""
                seen[connection.direction]?.connections.append(
                    "\(reason)\(connection.payloadUp?.bytes ?? -1) \(connection.payloadDown?.bytes ?? -1)")
            }
            return (seen, ended.errorText)
        }
    }

    private static let whole = Seen(rows: ["completed 43 40"], connections: ["43 40"])

    @Test(
        "a connection that another process has accepted or opened",
        arguments: ["handed", "handed-back", "handed-called", "inherited", "many"])
    func whole(kind: String) throws {
        let seen = try #require(try compare(kind)).seen
        #expect(seen == [.called: Self.whole, .served: Self.whole])
    }

    @Test("a connection that another process has used before: each process has its own part")
    func used() throws {
        let (seen, summary) = try #require(try compare("handed-used"))
        #expect(seen[.called] == Self.whole)
        #expect(seen[.served]?.rows == ["incomplete 43 -"])
        #expect(seen[.served]?.connections.sorted() == ["43 0", "takenOver 0 40"])
        #expect(summary.contains("were not seen: another process had used it before the program got it."))
    }

    @Test(
        "bytes that pass around the calls make an exchange incomplete, not cancelled",
        arguments: [
            ("spliced", TrafficDirection.served, 10042), ("spliced-raw", .served, 10042), ("stdio-in", .called, 40),
            ("discarded", .called, 10042), ("ring-out", .served, 40),
        ])
    func incomplete(kind: String, end: TrafficDirection, down: Int) throws {
        guard let seen = try compare(kind)?.seen else { return }
        let other: TrafficDirection = end == .called ? .served : .called
        #expect(seen[end] == Seen(rows: ["incomplete 43 -"], connections: ["43 \(down)"]))
        #expect(seen[other] == Seen(rows: ["completed 43 \(down)"], connections: ["43 \(down)"]))
    }

    @Test("a connection all of whose bytes pass around them", arguments: ["stdio", "ring", "ring-all"])
    func bypassed(kind: String) throws {
        guard let (seen, summary) = try compare(kind) else { return }
        let unseen = Seen(connections: ["bypassed 43 40"])
        #expect(seen[.served] == unseen)
        #expect(seen[.called] == (kind == "ring-all" ? unseen : Self.whole))
        #expect(summary.contains("were not seen: the program sent bytes in calls that the meter does not see"))
    }
}
