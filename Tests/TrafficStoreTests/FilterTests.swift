import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct FilterTests {
    private let folder: Folder
    private let traffic: RandomTraffic
    private let reader: StoreReader

    init() throws {
        folder = try Folder()
        traffic = RandomTraffic(seed: 21, count: 400, span: 3_600_000)
        let writer = try StoreWriter.open(folder.file())
        for batch in traffic.batches { try writer.write(batch) }
        reader = try StoreReader.open(folder.file())
    }

    private func expect(
        _ set: (inout ExchangeFilter) -> Void, _ holds: (StoredExchange) -> Bool,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        var filter = ExchangeFilter()
        set(&filter)
        let expected = traffic.stored.filter(holds)
        #expect(!expected.isEmpty && expected.count < traffic.exchanges.count, sourceLocation: location)
        #expect(try reader.exchanges(filter) == expected, sourceLocation: location)
        #expect(try reader.exchanges(filter, order: .newestFirst) == expected.reversed(), sourceLocation: location)
    }

    @Test func eachConditionLetsThroughWhatItSays() throws {
        let middle = Sample.moment(1_800_000)
        try expect({ $0.range = TimeRange(since: middle) }) { $0.request.startedAt >= middle }
        try expect({ $0.range = TimeRange(until: middle) }) { $0.request.startedAt < middle }
        try expect({ $0.host = "a.test" }) { $0.request.host == "a.test" }
        try expect({ $0.method = "POST" }) { $0.request.method == "POST" }
        try expect({ $0.status = 400...499 }) { $0.response?.status == 404 }
        try expect({ $0.contentType = "image/" }) { $0.response?.contentType == "image/png" }
        try expect({ $0.path = "/x/3" }) { $0.request.path == "/x/3" }
        try expect({ $0.api = "/y" }) { $0.request.template == "/y" }
        try expect({ $0.api = "GET /y" }) { $0.request.template == "/y" && $0.request.method == "GET" }
        try expect({ $0.api = "GET b.test /y" }) {
            $0.request.template == "/y" && $0.request.method == "GET" && $0.request.host == "b.test"
        }
        try expect({ $0.failedOnly = true }) {
            ($0.response?.status ?? 0) >= 400 || ["failed", "timedOut"].contains($0.end?.outcome.name)
        }
        try expect({ $0.slowerThan = 1_500_000_000 }) {
            guard let end = $0.end else { return false }
            return end.duration(since: $0.request.startedAt) ?? 0 > 1_500_000_000
        }
        let connections = traffic.stored.dropFirst(200).compactMap(\.connection)
        let connection = try #require(connections.first)
        try expect({ $0.connection = connection }) { $0.connection == connection }
        try expect({ $0.task = StoredExchange.ID(17) }) { $0.id.rawValue == 17 }
    }

    @Test func conditionsCombine() throws {
        try expect({
            $0.host = "a.test"
            $0.failedOnly = true
            $0.path = "/x/1"
        }) {
            $0.request.host == "a.test" && $0.request.path == "/x/1"
                && (($0.response?.status ?? 0) >= 400 || ["failed", "timedOut"].contains($0.end?.outcome.name))
        }
    }

    @Test func valuesAreNeverReadAsSQL() throws {
        for text in ["'", "' OR 1=1 --", "%", "_", "a.test' --"] {
            var filter = ExchangeFilter()
            filter.host = text
            #expect(try reader.exchanges(filter).isEmpty)
            filter = ExchangeFilter()
            filter.path = text
            #expect(try reader.exchanges(filter).isEmpty)
        }
    }

    @Test func pagesFollowEachOtherWithoutGapsInBothOrders() throws {
        for order in [ExchangeOrder.oldestFirst, .newestFirst] {
            var filter = ExchangeFilter()
            filter.host = "a.test"
            var pages: [StoredExchange] = []
            while true {
                let page = try reader.exchanges(
                    filter, order: order, after: pages.last?.id.rawValue, limit: 7)
                if page.isEmpty { break }
                pages += page
            }
            let all = try reader.exchanges(filter, order: order)
            #expect(pages == all)
        }
    }

    @Test func theOverviewCountsRowsAndTimes() throws {
        let overview = try reader.overview()
        let times = traffic.exchanges.map(\.request.startedAt)
        #expect(overview.exchanges == 400)
        #expect(overview.running == Int64(traffic.exchanges.filter { $0.end == nil }.count))
        #expect(overview.firstSeen == times.min())
        #expect(overview.lastSeen == times.max())
        #expect(overview.losses == [])
    }
}
