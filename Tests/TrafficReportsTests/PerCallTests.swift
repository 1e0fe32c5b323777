import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

/// What one call weighs, in every format of a report.
@Suite struct PerCallTests {
    /// An API whose calls each send 100 bytes and receive these.
    static func sum(_ template: String, _ down: [Int64]) -> TrafficTotal {
        var sum = total(
            api("GET", "a.example", template), requests: Int64(down.count),
            up: parts(fields: 100 * Int64(down.count)),
            down: parts(body: down.reduce(0, +)))
        for bytes in down { sum.perCall.record(ByteFlow(up: 100, down: ByteCount(bytes))) }
        return sum
    }

    private let store = FakeStore(groups: [
        .api: [
            sum("/even", [200, 200, 200]), sum("/uneven", [50, 60, 39_900]),
            total(api("GET", "a.example", "/old"), requests: 9, up: parts(fields: 90_000), down: parts()),
        ]
    ])

    @Test func columnsOfATable() throws {
        let lines = try TrafficReport(of: store, by: .api).table(TextStyle(width: 110)).split(
            separator: "\n")
        func cells(_ line: Substring) -> [String] {
            line.replacing(/\s{2,}/, with: "|").split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        let titles = cells(lines[0])
        let total = try #require(titles.firstIndex(of: "Total"))
        #expect(titles[total + 1] == "Per call")
        #expect(cells(lines[1])[total...(total + 1)] == ["90.0 KB", "–"])
        #expect(cells(lines[2])[total...(total + 1)] == ["40.3 KB", "161 B"])
        #expect(cells(lines[3])[total...(total + 1)] == ["900 B", "300 B"])
    }

    @Test("a call's weight is still there at 80 columns, and its p95 on a wide terminal")
    func widths() throws {
        let report = try TrafficReport(of: store, by: .api)
        #expect(report.table(TextStyle(width: 80)).contains("Per call"))
        #expect(report.table(TextStyle(width: 200)).contains("Call p95"))
    }

    @Test func markdownHasThem() throws {
        let markdown = try TrafficReport(of: store, by: .api).markdown()
        #expect(markdown.contains("| Up | Down | Total | Per call | Call p95 |"))
        #expect(markdown.contains("| 300 B | 600 B | 900 B | 300 B | 300 B |"))
        #expect(markdown.contains("| 90.0 KB | 0 B | 90.0 KB | – | – |"))
    }

    @Test("the heaviest call comes first, by the 95th percentile; what was not weighed comes last")
    func sort() throws {
        func order(_ sort: TrafficReport.Sort) throws -> [String?] {
            try TrafficReport(of: store, by: .api, sort: sort).rows.map(\.key.template)
        }
        #expect(try order(.perCall) == ["/uneven", "/even", "/old"])
        #expect(try order(.total) == ["/old", "/uneven", "/even"])
    }

    @Test(
        "every figure of a call is a column, and an order",
        arguments: [
            ("call-p50", "Per call", ["161 B", "300 B", "–"]), ("call-p95", "Call p95", ["40.0 KB", "300 B", "–"]),
            ("call-max", "Call max", ["40.0 KB", "300 B", "–"]),
            ("call-up-p50", "Call up p50", ["100 B", "100 B", "–"]),
            ("call-up-p95", "Call up p95", ["100 B", "100 B", "–"]),
            ("call-up-max", "Call up max", ["100 B", "100 B", "–"]),
            ("call-down-p50", "Call down p50", ["61 B", "200 B", "–"]),
            ("call-down-p95", "Call down p95", ["39.9 KB", "200 B", "–"]),
            ("call-down-max", "Call down max", ["39.9 KB", "200 B", "–"]),
        ])
    func figures(name: String, title: String, cells: [String]) throws {
        let sort = try #require(TrafficReport.Sort(rawValue: name))
        let report = try TrafficReport(of: store, by: .api, sort: sort)
        let expected = zip(["/uneven", "/even", "/old"], cells).map { ($0.0, $0.1) }
        let sizes = ["161 B": 161, "61 B": 61]
        func size(_ cell: String) -> Int { sizes[cell] ?? (cell == "–" ? -1 : cell.hasSuffix("KB") ? 40_000 : 250) }
        let order = expected.sorted { size($0.1) != size($1.1) ? size($0.1) > size($1.1) : $0.0 < $1.0 }.map(\.0)
        #expect(report.rows.map(\.key.template) == order)
        let column = title.lowercased().replacing(" ", with: "-")
        #expect(ReportView.columnNames.contains(column))
        // In the view of calls, and by its name beside any others.
        let chosen = report.markdown(.bytes, TextStyle(columns: [column]))
        #expect(chosen.hasPrefix("| Method | Host | API | \(title) |"))
        for (template, cell) in expected {
            #expect(chosen.contains("| GET | a.example | \(template) | \(cell) |"))
            let line = try #require(
                report.table(TextStyle(width: 250), .calls).split(separator: "\n").first { $0.contains(template) })
            #expect(line.contains("  \(cell)"))
        }
        #expect(report.table(TextStyle(width: 250), .calls).contains(title))
        #expect(report.markdown(.calls).contains("| \(title) |"))
    }

    @Test("JSON has integers, and null where no call was weighed") func json() throws {
        let report = try TrafficReport(of: store, by: .api, sort: .perCall).json
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any])
        let rows = try #require(object["apis"] as? [[String: Any]]).map {
            $0["perCall"] as? [String: Any] ?? [:]
        }
        #expect(rows[1]["calls"] as? Int == 3)
        #expect(rows[1]["up"] as? [String: Int] == ["p50": 100, "p95": 100, "max": 100])
        #expect(rows[1]["down"] as? [String: Int] == ["p50": 200, "p95": 200, "max": 200])
        #expect((rows[0]["total"] as? [String: Int])?["max"] == 40_000)
        #expect((rows[0]["total"] as? [String: Int])?["p95"] == 40_000)
        #expect(rows[2]["calls"] as? Int == 0)
        #expect((rows[2]["total"] as? [String: Any])?["p95"] is NSNull)
        let totals = try #require(object["totals"] as? [String: Any])
        #expect((totals["perCall"] as? [String: Any])?["calls"] as? Int == 6)
    }

    @Test func csvHasThemLast() throws {
        let lines = try TrafficReport(of: store, by: .api, sort: .perCall).csv.components(
            separatedBy: "\r\n")
        #expect(
            lines[0].hasSuffix(
                ",direction,total,perCallCalls,perCallUpP50,perCallUpP95,perCallUpMax,perCallDownP50,perCallDownP95,"
                    + "perCallDownMax,perCallTotalP50,perCallTotalP95,perCallTotalMax"))
        #expect(lines[2].hasSuffix(",called,900,3,100,100,100,200,200,200,300,300,300"))
        #expect(lines[3].hasSuffix(",called,90000,0,,,,,,,,,"))
    }

    // MARK: Comparing

    @Test("a difference of weights is said only if chance does not explain it") func differences()
        throws
    {
        let light: [Int64] = (0..<12).map { 1_000 + $0 * 10 }
        let diff = TrafficDiff(
            [Self.sum("/same", light), Self.sum("/heavy", light), Self.sum("/few", [1_000])],
            [
                Self.sum("/same", light.reversed()), Self.sum("/heavy", light.map { $0 * 2 }),
                Self.sum("/few", [9_000]),
            ],
            sort: .perCall)
        #expect(diff.rows.map(\.api.template) == ["/heavy", "/same", "/few"])
        #expect(diff.rows.map(\.weightFinding) == [.heavier, .noise, .tooFew])
        #expect(diff.weighed == 2)
        let ratio = try #require(diff.rows[0].weight?.ratio)
        #expect(abs(ratio - 1.9) < 0.15)
        #expect(diff.rows[0].weightFindingText.hasPrefix("heavier ×1."))
        #expect(diff.notes.contains { $0.contains("5 % across both APIs compared") })
        #expect(diff.table(TextStyle(width: 250)).contains("Call p50"))
        #expect(diff.table(TextStyle(width: 250)).contains("1.2 KB → 2.3 KB"))
        let lines = diff.csv.components(separatedBy: "\r\n")
        #expect(
            lines[0].hasSuffix(
                ",afterPerCallUpMax,afterPerCallDownP50,afterPerCallDownP95,afterPerCallDownMax"))
        #expect(lines[1].hasSuffix(",2220,2220"), "\(lines[1])")
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(diff.json.utf8)) as? [String: Any])
        let row = try #require((object["apis"] as? [[String: Any]])?.first)
        #expect((row["perCall"] as? [String: Any])?["finding"] as? String == "heavier")
        let before =
            ((row["before"] as? [String: Any])?["perCall"] as? [String: Any])?["total"] as? [String: Int]
        #expect(before?["max"] == 1_210)
        let back = TrafficDiff([Self.sum("/a", light.map { $0 * 2 })], [Self.sum("/a", light)])
        #expect(back.rows.map(\.weightFinding) == [.lighter])
        // Nothing is explained that no row says.
        #expect(TrafficDiff([Self.sum("/a", light)], [Self.sum("/a", light)]).notes.isEmpty)
        #expect(back.notes.contains { $0.contains("5 % for the only API compared") })
    }

    // MARK: Budgets

    private func check(_ run: [TrafficTotal], own: Int64? = nil, rules: BudgetCheck.Rules = .init())
        throws -> BudgetCheck
    {
        var lockfile = try Lockfile(recording: FakeStore(groups: [.api: run]))
        if let own {
            let text = lockfile.text.replacing(
                "\"template\": \"/uneven\",", with: "\"template\": \"/uneven\", \"callP95\": \(own),")
            lockfile = try Lockfile(text: Array(text.utf8))
            // It is written and kept as it was.
            #expect(lockfile.text.contains("\"callP95\": \(own),"))
            lockfile = try Lockfile(recording: FakeStore(groups: [.api: run]), replacing: lockfile)
        }
        return try BudgetCheck(of: FakeStore(groups: [.api: run]), against: lockfile, rules: rules)
    }

    @Test(
        "a limit of one call is kept to the byte; an API's own limit comes before that of the check")
    func budgets() throws {
        let run = [Self.sum("/even", [200, 200, 200]), Self.sum("/uneven", [50, 60, 39_900])]
        #expect(try check(run).isPassed)
        #expect(try check(run, own: 40_000).isPassed)
        let breached = try check(run, own: 39_999)
        #expect(breached.breaches.map(\.api.template) == ["/uneven"])
        #expect(breached.breaches.first?.exceeded == [.callP95])
        // To record again would change nothing.
        #expect(breached.table().contains("Recording keeps the limits"))
        #expect(!breached.table().contains("To accept"))
        #expect(breached.table().contains("one call: p95 40,000 B, allowed 39,999 B"))
        #expect(try check(run, rules: .init(callP95: 299)).breaches.count == 2)
        #expect(try check(run, own: 40_000, rules: .init(callP95: 300)).isPassed)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(breached.json.utf8)) as? [String: Any])
        let figures = (object["apis"] as? [[String: Any]])?.first?["callP95"] as? [String: Int]
        #expect(figures == ["budget": 39_999, "limit": 39_999, "run": 40_000])
    }

    @Test(
        "a new API that is allowed must keep the check's limit, and calls that were not weighed are named"
    )
    func newAndOld() throws {
        let lockfile = try Lockfile(recording: FakeStore(groups: [.api: [Self.sum("/even", [200])]]))
        let run = FakeStore(groups: [.api: [Self.sum("/even", [200]), Self.sum("/new", [900])]])
        let rules = BudgetCheck.Rules(allowsNew: true, callP95: 500)
        #expect(
            try BudgetCheck(of: run, against: lockfile, rules: rules).breaches.map(\.api.template) == [
                "/new"
            ])
        let old = total(
            api("GET", "a.example", "/even"), requests: 1, up: parts(fields: 100), down: parts(body: 200))
        let check = try BudgetCheck(
            of: FakeStore(groups: [.api: [old]]), against: lockfile, rules: rules)
        #expect(check.isPassed)
        #expect(check.notes.contains { $0.contains("no call that was weighed") })
    }
}
