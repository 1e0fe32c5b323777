import GRDB
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficStore

/// A store as if it had only what a filter selects.
@Suite("A filtered store")
struct FilteredReadingTests {
    private let folder: Folder
    private let writer: StoreWriter
    private let reader: StoreReader
    private let traffic: RandomTraffic

    init() throws {
        folder = try Folder()
        var traffic = RandomTraffic(seed: 31, count: 120, span: 3_600_000)
        for index in traffic.exchanges.indices where index % 7 == 0 { traffic.exchanges[index].request.method = "PUT" }
        self.traffic = traffic
        writer = try StoreWriter.open(folder.file())
        try writer.write(traffic.exchanges.flatMap(\.events))
        reader = try StoreReader.open(folder.file())
    }

    private func filter(_ text: String) throws -> FilterExpression {
        try FilterParser.parse(text, now: Sample.moment(3_600_000))
    }

    @Test(
        "has the sums of the exchanges that match, by every grouping",
        arguments: [
            "status:4xx", "-method:GET larger:4k", "host:b.test", "host:*.test -host:a.test", "api:/y", "path:~[12]$",
            "b.test", "method:put direction:called", "process:tool,x failed", "since:30m status:none,2xx",
            "api:\"GET a.test /y\",\"POST /x/{id}\"", "-api:~GET",
        ])
    func sums(text: String) throws {
        let expression = try filter(text)
        var expected = traffic
        expected.exchanges = traffic.exchanges.filter { expression.matches(StoredExchange($0)) }
        #expect(!expected.exchanges.isEmpty && expected.exchanges.count < traffic.exchanges.count)
        let filtered = FilteredReading(reader, expression)
        for grouping in TrafficGrouping.allCases {
            let totals = try filtered.totals(by: grouping, in: .always)
            let byKey = Dictionary(uniqueKeysWithValues: totals.map { ($0.key, $0) })
            #expect(byKey == expected.totals(by: grouping, in: .always), "\(grouping)")
        }
        let timeline = try filtered.timeline(of: .called, in: .always, limit: 100)
        #expect(timeline.slots.reduce(0) { $0 + $1.requests } == Int64(expected.exchanges.count))
        #expect(try filtered.newest(.max, matching: .init()).count == expected.exchanges.count)
    }

    @Test("counts every request that was metered if the names of APIs decide, and else those whose rows are kept")
    func retention() throws {
        let before = try FilteredReading(reader, filter("host:a.test")).totals(by: .host, in: .always)
        // Those that still run are not in the sums yet.
        try DatabaseQueue(path: folder.file()).write {
            try $0.execute(sql: "DELETE FROM exchange WHERE id <= 60 AND outcome IS NOT NULL")
        }
        let left = traffic.exchanges[..<60].filter { $0.end == nil } + traffic.exchanges[60...]
        #expect(left.count < 100)
        let all = try FilteredReading(reader, filter("host:a.test"))
        #expect(try Set(all.totals(by: .host, in: .always)) == Set(before))
        #expect(try all.selection(by: .host).countsRows == false)
        #expect(try all.selection(by: .host).keptSince == nil)
        #expect(try all.selection(by: .status).countsRows)
        let kept = try FilteredReading(reader, filter("host:a.test:443"))
        let selection = try kept.selection(by: .host)
        #expect(selection.countsRows)
        #expect(selection.keptSince == left[0].request.startedAt)
        let requests = try kept.totals(by: .host, in: .always).reduce(0) { $0 + $1.requests }
        #expect(requests == left.count { $0.request.host == "a.test" })
        #expect(
            selection.sentence(requests, in: .utc).hasPrefix(
                "Filter host:a.test:443: from \(requests) stored exchanges; rows are kept since 2025-"))
    }
}
