import Foundation
import TestSupport
import TextFormats
import Testing
import TrafficModel

@testable import TrafficReports

/// Totals of what was called and of what was served are never one number.
@Suite struct DirectedReportsTests {
    private static func key(_ direction: TrafficDirection) -> TrafficTotal.Key {
        TrafficTotal.Key(method: "GET", host: "api.test", template: "/users/{id}", direction: direction)
    }

    private static let totals = [
        total(key(.called), requests: 12, up: parts(fields: 1_200), down: parts(body: 3_000)),
        total(key(.served), requests: 40, up: parts(fields: 4_000), down: parts(body: 9_000)),
    ]

    private static let both = DirectedReports(
        of: totals, by: .api, losses: [], ledger: { _ in LedgerCoverage() })
    private static let called = DirectedReports(
        of: [totals[0]], by: .api, losses: [], ledger: { _ in LedgerCoverage() })
    private static let served = DirectedReports(
        of: [totals[1]], by: .api, losses: [], ledger: { _ in LedgerCoverage() })

    private func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test func aTableForEach() {
        let tables = Self.both.table(TextStyle(width: 80)).components(separatedBy: "\n\n")
        #expect(tables.count == 2)
        #expect(tables[0].hasPrefix("Called: 12 requests\n") && tables[0].contains("/users/{id}"))
        #expect(tables[1].hasPrefix("Served: 40 requests\n") && tables[1].contains("/users/{id}"))
        #expect(!Self.both.table(TextStyle(width: 80)).contains("52"))
    }

    @Test func byDirectionThereIsOneTableWithoutTotals() {
        let reports = DirectedReports(
            of: Self.totals.map { TrafficTotal(key: TrafficTotal.Key(direction: $0.key.direction), sums: $0.sums) },
            by: .direction, losses: [], ledger: { _ in LedgerCoverage() })
        let lines = reports.table(TextStyle(width: 100)).components(separatedBy: "\n")
        #expect(lines[0].hasPrefix("Direction  ") && lines[1].hasPrefix("called  ") && lines[2].hasPrefix("served  "))
        #expect(lines[3].isEmpty && lines[4] == "Called: 12 requests")
        #expect(!lines.contains { $0.contains("Total  ") && !$0.hasPrefix("Direction") })
        let markdown = reports.markdown().components(separatedBy: "\n")
        #expect(markdown.count { $0.hasPrefix("| Direction ") } == 1)
        #expect(markdown[2].hasPrefix("| called | 12 ") && markdown[3].hasPrefix("| served | 40 "))
        #expect(!reports.markdown().contains("**Total**"))
    }

    @Test func nothingServedLooksAsEver() {
        #expect(
            Self.called.table(TextStyle(width: 80))
                == TrafficReport(of: [Self.totals[0]], by: .api, losses: []).table(TextStyle(width: 80)))
        #expect(Self.called.markdown() == TrafficReport(of: [Self.totals[0]], by: .api, losses: []).markdown())
        #expect(Self.served.table().hasPrefix("Served: 40 requests\n"))
    }

    @Test func jsonKeepsThemApart() throws {
        let both = try object(Self.both.json)
        #expect(both["direction"] as? String == "called")
        #expect((both["totals"] as? [String: Any])?["requests"] as? Int == 12)
        #expect((both["apis"] as? [[String: Any]])?.map { $0["direction"] as? String } == ["called"])
        let served = try #require(both["served"] as? [String: Any])
        #expect((served["totals"] as? [String: Any])?["requests"] as? Int == 40)
        #expect((served["apis"] as? [[String: Any]])?.map { $0["direction"] as? String } == ["served"])
        #expect(try object(Self.called.json)["served"] is NSNull)
        #expect(try object(Self.served.json)["direction"] as? String == "served")
    }

    @Test func rowsOfCSVHaveTheirDirection() {
        let lines = Self.both.csv.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        #expect(lines.count == 3)
        #expect(lines[0].contains(",direction,") && lines[1].contains(",called,") && lines[2].contains(",served,"))
    }

    @Test func markdownHasAHeadingForEach() {
        #expect(Self.both.markdown().contains("## Called: 12 requests\n\n| Method"))
        #expect(Self.both.markdown().contains("\n## Served: 40 requests\n\n| Method"))
    }

    @Test func everyGroupingHasADirection() throws {
        for grouping in TrafficGrouping.allCases {
            let report = TrafficReport(of: Self.totals, by: grouping, direction: .served, losses: [])
            let rows = try #require(try object(report.json)[grouping.plural] as? [[String: Any]])
            #expect(rows.map { $0["direction"] as? String } == ["served"], "\(grouping)")
        }
    }

    @Test("a report of a store reads one direction")
    func ofAStore() throws {
        let store = FakeStore(groups: [.api: Self.totals, .direction: Self.totals, .method: Self.totals])
        #expect(try store.directions() == [.called, .served])
        #expect(try TrafficReport(of: store, by: .api).totals.requests == 12)
        #expect(try TrafficReport(of: store, by: .api, direction: .served).totals.requests == 40)
        #expect(try FakeStore().directions() == [.called])
    }

    // MARK: Budgets

    @Test("a budget is of one direction, and a file without the word is of what was called")
    func budgets() throws {
        let store = FakeStore(groups: [.api: Self.totals])
        let lockfile = try Lockfile(recording: store)
        #expect(lockfile.budgets.map(\.api.direction) == [.called, .served])
        #expect(lockfile.text.components(separatedBy: "\"direction\": \"served\"").count == 2)
        #expect(!lockfile.text.contains("\"called\""))
        #expect(try Lockfile(text: Array(lockfile.text.utf8)).text == lockfile.text)
        let check = try BudgetCheck(of: store, against: lockfile)
        #expect(check.isPassed && check.rows.map(\.verdict) == [.same, .same])
        // As recorded before: the served API is then new.
        let earlier = Lockfile(tolerance: .usual, budgets: lockfile.budgets.filter { $0.api.direction == .called })
        let later = try BudgetCheck(of: store, against: try Lockfile(text: Array(earlier.text.utf8)))
        #expect(later.breaches.map(\.api.name) == ["served GET api.test /users/{id}"])
        #expect(later.json.contains("\"direction\": \"served\""))
        let wrong = lockfile.text.replacing("\"direction\": \"served\"", with: "\"direction\": \"up\"")
        #expect(throws: JSONFault.self) { try Lockfile(text: Array(wrong.utf8)) }
    }

    // MARK: Comparisons

    @Test func aDiffComparesEachDirectionWithItself() throws {
        let before = FakeStore(groups: [.api: Self.totals])
        let after = FakeStore(groups: [.api: [Self.totals[0]]])
        let diff = try TrafficDiff(before: before, after: after)
        #expect(diff.rows.count == 2 && diff.vanished == 1)
        #expect(diff.totals.map(\.before.requests) == [12, 40])
        #expect(diff.conclusion.hasPrefix("called: 12 → 12 requests"))
        #expect(diff.conclusion.contains("; served: 40 → 0 requests"))
        #expect(try TrafficDiff(before: after, after: after).conclusion.hasPrefix("12 → 12 requests"))
        let json = try object(diff.json)
        #expect((json["servedTotals"] as? [String: Any])?["direction"] as? String == "served")
    }
}
