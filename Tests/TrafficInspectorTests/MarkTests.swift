import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficInspector

/// The marks and notes that readers put on exchanges.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(4))) struct MarkTests {
    private let path = NSTemporaryDirectory() + "marked-\(UUID().uuidString).db"
    private var file: String { path + ".marks.json" }

    private func shown(_ count: Int64 = 5, kept: Bool = true) async throws -> Shown {
        let shown = try await Shown { if kept { $0.file = path } }
        for id in 1...count { try shown.writer.write(Sample.events(id, path: "/x", status: id == 2 ? 404 : 200)) }
        return shown
    }

    private func mark(_ shown: Shown, _ body: String) async throws -> Reply {
        try await shown.ask("/api/v1/marks", method: "POST", fields: ["X-Wireweight: 1"], body: body)
    }

    private func marks(_ reply: Reply) throws -> [Int: String] {
        let all = try reply.object["marks"] as? [[String: Any]] ?? []
        return Dictionary(
            uniqueKeysWithValues: all.map { ($0["exchange"] as? Int ?? 0, $0["note"] as? String ?? "?") })
    }

    @Test func marksAreSetChangedAndRemoved() async throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        let shown = try await shown()
        #expect(try await marks(shown.ask("/api/v1/marks")) == [:])
        #expect(try await marks(mark(shown, #"{"exchanges":[2,4],"marked":true,"note":"slow \"one\""}"#)).count == 2)
        // Marked again, the note stays; unknown numbers are left out.
        let again = try await mark(shown, #"{"exchanges":[4,5,99],"marked":true}"#)
        #expect(try marks(again) == [2: "slow \"one\"", 4: "slow \"one\"", 5: ""])
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try await marks(mark(shown, #"{"exchanges":[2],"marked":false}"#)) == [4: "slow \"one\"", 5: ""])
        #expect(try await mark(shown, #"{"exchanges":[4,5],"marked":false}"#).status == 200)
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func markedSelectsAndSoDoNumbers() async throws {
        let shown = try await shown(kept: false)
        #expect(try await shown.ask("/api/v1/exchanges?marked=1").ids() == [])
        _ = try await mark(shown, #"{"exchanges":[2,3,5],"marked":true}"#)
        #expect(try await shown.ask("/api/v1/exchanges?marked=1").ids() == [5, 3, 2])
        #expect(try await shown.ask("/api/v1/exchanges?marked=1&failed=1").ids() == [2])
        #expect(try await shown.ask("/api/v1/exchanges?exchanges=4,1,77").ids() == [4, 1])
        #expect(try await shown.ask("/api/v1/exchanges?exchanges=4,2&text=status:200").ids() == [4])
        #expect(try await shown.ask("/api/v1/exchanges?text=exchange:4,1").ids() == [4, 1])
        #expect(try await shown.ask("/api/v1/exchanges?text=-exchange:4,1").ids() == [5, 3, 2])
        let sums = try await shown.ask("/api/v1/sums?marked=1").object["sums"] as? [[String: Any]]
        #expect(sums?.first?["requests"] as? Int == 3)
        let export = try await shown.ask("/api/v1/export?format=ndjson&exchanges=2,5")
        #expect(export.body.matches(of: /"exchange":/).count == 2)
        #expect(try await shown.ask("/api/v1/exchanges?exchanges=1,x").status == 400)
        let many = (1...1_000).map(String.init).joined(separator: ",")
        #expect(try await shown.ask("/api/v1/exchanges?exchanges=\(many)").ids() == [5, 4, 3, 2, 1])
        #expect(try await shown.ask("/api/v1/exchanges?exchanges=\(many),1").status == 400)
    }

    @Test func marksOfAnotherStoreOfThatNameAreNotShown() async throws {
        defer { try? FileManager.default.removeItem(atPath: file) }
        let first = try await shown()
        _ = try await mark(first, #"{"exchanges":[1,2],"marked":true,"note":"old"}"#)
        #expect(try await marks(shown().ask("/api/v1/marks")) == [1: "old", 2: "old"])
        // The same numbers, begun at another time.
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let began = try #require(text.firstMatch(of: /"startedAt" : (\d+)/)).1
        let other = text.replacing(began, with: "\((Int(began) ?? 0) + 1)")
        try other.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try await marks(shown().ask("/api/v1/marks")) == [2: "old"])
        try "{broken".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(try await marks(shown().ask("/api/v1/marks")) == [:])
    }

    @Test(arguments: [
        "", "{}", #"{"exchanges":[],"marked":true}"#, #"{"exchanges":["1"],"marked":true}"#, #"{"exchanges":[1]}"#,
    ])
    func whatIsNoChangeIsRefused(body: String) async throws {
        let shown = try await shown(1, kept: false)
        let reply = try await mark(shown, body)
        #expect(reply.status == 400)
        #expect((try reply.object["error"] as? [String: Any])?["phrase"] as? String == "marks")
    }

    @Test func notesAndNumbersAreBounded() async throws {
        let shown = try await shown(1, kept: false)
        func note(_ count: Int) -> String {
            #"{"exchanges":[1],"marked":true,"note":"\#(String(repeating: "n", count: count))"}"#
        }
        #expect(try await mark(shown, note(2_000)).status == 200)
        #expect(try await mark(shown, note(2_001)).status == 400)
        let many = (1...1_001).map(String.init).joined(separator: ",")
        #expect(try await mark(shown, #"{"exchanges":[\#(many)],"marked":true}"#).status == 400)
    }

    @Test func onlyAThousandAreMarked() async throws {
        let shown = try await shown(1_001, kept: false)
        let many = (1...1_000).map(String.init).joined(separator: ",")
        #expect(try await marks(mark(shown, #"{"exchanges":[\#(many)],"marked":true}"#)).count == 1_000)
        let reply = try await mark(shown, #"{"exchanges":[1001],"marked":true}"#)
        #expect(reply.status == 400)
        #expect((try reply.object["error"] as? [String: Any])?["phrase"] as? String == "marksFull")
        #expect(try await marks(shown.ask("/api/v1/marks")).count == 1_000)
    }

    @Test func aMarkNeedsThePagesHeaderAndIsSeenInTheOverview() async throws {
        let shown = try await shown(1, kept: false)
        let body = #"{"exchanges":[1],"marked":true}"#
        #expect(try await shown.ask("/api/v1/marks", method: "POST", body: body).status == 403)
        #expect(try await shown.ask("/api/v1/overview").object["marks"] as? Int == 0)
        _ = try await mark(shown, body)
        #expect(try await shown.ask("/api/v1/overview").object["marks"] as? Int == 1)
    }

    @Test func headerLinesAreComparedWithTheOtherCallsOfTheAPI() async throws {
        let shown = try await Shown()
        for id in Int64(1)...4 {
            let note = id == 3 ? "other" : "same"
            try shown.writer.write(Sample.events(id, path: "/orders", status: 200, fields: "X-Note: \(note)\r\n"))
        }
        try shown.writer.write(Sample.events(5, path: "/other", status: 200, fields: "X-Note: same\r\n"))
        let reply = try await shown.ask("/api/v1/exchanges/1/repeats")
        #expect(try reply.object["calls"] as? Int == 3)
        #expect(try reply.object["isAll"] as? Bool == true)
        let detail = try await shown.ask("/api/v1/exchanges/1").object["exchange"] as? [String: Any]
        for side in ["request", "response"] {
            let lines = (detail?[side] as? [String: Any])?["fieldLines"] as? [String] ?? []
            let counts = try #require(reply.object[side] as? [Int])
            #expect(counts.count == lines.count)
            for (line, count) in zip(lines, counts) { #expect(count == (line.hasPrefix("X-Note") ? 2 : 3), "\(line)") }
        }
        #expect(try await shown.ask("/api/v1/exchanges/99/repeats").status == 404)
    }
}
