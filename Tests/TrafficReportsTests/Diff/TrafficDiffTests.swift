import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

@Suite("Differences of two runs") struct TrafficDiffTests {
    private func sum(
        _ template: String, requests: Int64 = 1, up: Int64 = 100, down: Int64, milliseconds: [Int64] = []
    ) -> TrafficTotal {
        total(
            api("GET", "a.example", template), requests: requests, up: parts(fields: up), down: parts(body: down),
            milliseconds: milliseconds)
    }

    private static let fast: [Int64] = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]
    private static let slow: [Int64] = fast.map { $0 * 3 }

    private var before: [TrafficTotal] {
        [
            sum("/grown", down: 1_000, milliseconds: Self.fast), sum("/gone", down: 500),
            sum("/same", down: 300, milliseconds: Self.fast), sum("/slow", down: 300, milliseconds: Self.fast),
        ]
    }

    private var after: [TrafficTotal] {
        [
            sum("/grown", requests: 2, up: 200, down: 4_000, milliseconds: Self.fast), sum("/new", down: 700),
            sum("/same", down: 300, milliseconds: [10, 20]), sum("/slow", down: 300, milliseconds: Self.slow),
        ]
    }

    @Test(
        "what changed most comes first",
        arguments: [
            (.bytes, ["/grown", "/new", "/gone", "/same", "/slow"]),
            (.request, ["/grown", "/same", "/slow", "/gone", "/new"]),
            (.latency, ["/slow", "/grown", "/gone", "/new", "/same"]),
            (.name, ["/gone", "/grown", "/new", "/same", "/slow"]),
        ] as [(TrafficDiff.Sort, [String])])
    func order(sort: TrafficDiff.Sort, templates: [String]) {
        #expect(TrafficDiff(before, after, sort: sort).rows.map(\.api.template) == templates)
    }

    @Test("changes are of sums and of requests; new and vanished APIs are shown")
    func figures() throws {
        let diff = TrafficDiff(before, after)
        let grown = try #require(diff.rows.first)
        #expect(grown.change == 3_100)
        #expect(grown.changePerRequest == 1_000)
        #expect((diff.new, diff.vanished) == (1, 1))
        #expect(diff.rows[1].changePerRequest == nil)
        #expect(diff.rows.map(\.finding) == [.noise, nil, nil, .tooFew, .slower])
        #expect(diff.conclusion == "4 → 5 requests, 2.5 KB → 5.8 KB (+132 %), 1 new, 1 vanished.")
        let limited = TrafficDiff(before, after, limit: 2)
        #expect(limited.rows.count == 2)
        #expect(limited.remainingRows == 3)
        #expect(limited.conclusion == diff.conclusion)
    }

    @Test("the table says of latencies only what holds")
    func table() {
        let lines = TrafficDiff(before, after).table(TextStyle(width: 210)).split(separator: "\n").map(String.init)
        #expect(
            Array(lines[...5]) == [
                "Method  Host       API     Requests             Up             Down        A request    Change"
                    + "  Call p50  Call p95  Call max  One call                     p50                p95  Latency",
                "GET     a.example  /grown     1 → 2  100 B → 200 B  1.0 KB → 4.0 KB  1.1 KB → 2.1 KB   +90.9 %"
                    + "         –         –         –  too few calls            13.9 ms            19.2 ms  no clear change",
                "GET     a.example  /new           1          100 B            700 B            800 B       new"
                    + "         –         –         –  –                              –                  –  –",
                "GET     a.example  /gone          1          100 B            500 B            600 B  vanished"
                    + "         –         –         –  –                              –                  –  –",
                "GET     a.example  /same          1          100 B            300 B            400 B       0 %"
                    + "         –         –         –  too few calls  13.9 ms → 10.0 ms  19.2 ms → 20.0 ms  too few calls",
                "GET     a.example  /slow          1          100 B            300 B            400 B       0 %"
                    + "         –         –         –  too few calls  13.9 ms → 41.9 ms  19.2 ms → 56.7 ms  slower ×3.02 (2.33–3.83)",
            ])
    }

    @Test("JSON has both runs, and Markdown a row for each API")
    func formats() {
        let diff = TrafficDiff(before, after)
        #expect(diff.json.contains("\"finding\": \"slower\""))
        #expect(diff.json.contains("\"changePerRequest\": 1000.0"))
        #expect(diff.markdown.contains("| GET a.example /new | 1 | 100 B | 700 B | 800 B | new | – | – | – |"))
        #expect(TrafficDiff([], []).table().hasPrefix("No requests in either run.\n"))
    }

    @Test("CSV has the figures of JSON")
    func delimited() throws {
        let lines = TrafficDiff(before, after).csv.split(separator: "\r\n", omittingEmptySubsequences: false)
        let rows = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        #expect(rows.count == 7 && rows[6] == [""])
        func cells(_ names: String...) throws -> [[String]] {
            let places = try names.map { try #require(rows[0].firstIndex(of: $0), "\($0)") }
            return rows[1...5].map { row in places.map { row[$0] } }
        }
        let sums = try cells(
            "template", "change", "changePerRequest", "beforeRequests", "afterRequests", "beforeDown", "afterDown")
        #expect(sums[0] == ["/grown", "3100", "1000.0", "1", "2", "1000", "4000"])
        #expect(sums[1] == ["/new", "800", "", "", "1", "", "700"])
        let times = try cells("template", "latencyFinding", "beforeLatencyP50", "afterLatencyP50", "perCallFinding")
        #expect(times[4] == ["/slow", "slower", "13.871", "41.867", "tooFew"])
        // A column whose member had another name would be empty in every row.
        for (place, name) in rows[0].enumerated() where !name.contains("erCall") {
            #expect(rows[1...5].contains { !$0[place].isEmpty }, "\(name)")
        }
    }
}
