import Testing
import TextFormats
import TrafficModel

@testable import TrafficStore

/// What an audit reads: the newest of the exchanges that match, without their bodies.
@Suite("The newest exchanges")
struct NewestTests {
    private let folder: Folder
    private let traffic: RandomTraffic
    private let reader: StoreReader

    init() throws {
        folder = try Folder()
        traffic = RandomTraffic(seed: 22, count: 300, span: 3_600_000)
        let writer = try StoreWriter.open(folder.file())
        for batch in traffic.batches { try writer.write(batch) }
        reader = try StoreReader.open(folder.file())
    }

    private func newest(_ count: Int, _ filter: ExchangeFilter) throws -> [StoredExchange.ID] {
        var ids: [StoredExchange.ID] = []
        let start = try reader.start(ofNewest: count, matching: filter)
        try reader.forEachHead(matching: filter, order: .oldestFirst, after: start) {
            ids.append($0.id)
            return true
        }
        return ids
    }

    @Test("as many as wanted, under each condition", arguments: [1, 7, 100, 299, 300, 301])
    func count(_ count: Int) throws {
        let middle = Sample.moment(1_800_000)
        func expect(_ set: (inout ExchangeFilter) -> Void, _ holds: (StoredExchange) -> Bool) throws {
            var filter = ExchangeFilter()
            set(&filter)
            let expected = traffic.stored.filter(holds).map(\.id).suffix(count)
            #expect(try newest(count, filter) == Array(expected))
        }
        try expect({ _ in }) { _ in true }
        try expect({ $0.host = "a.test" }) { $0.request.host == "a.test" }
        try expect({ $0.path = "/x/1" }) { $0.request.path == "/x/1" }
        try expect({ $0.range = TimeRange(until: middle) }) { $0.request.startedAt < middle }
    }

    @Test("rows are read without their kept bodies")
    func bodies() throws {
        let other = try Folder()
        let writer = try StoreWriter.open(other.file())
        var request = Sample.request(1)
        request.capturedBody = [1, 2, 3]
        try writer.write([.request(request)])
        let store = try StoreReader.open(other.file())
        var seen: [[UInt8]?] = []
        try store.forEachExchange(matching: .init(), order: .oldestFirst, after: nil) {
            seen.append($0.request.capturedBody)
            return true
        }
        try store.forEachHead(matching: .init(), order: .oldestFirst, after: nil) {
            seen.append($0.request.capturedBody)
            return true
        }
        #expect(seen == [[1, 2, 3], nil])
    }

    @Test("lists and pages of them are what reading each of them gives")
    func lists() throws {
        /// The protocol's own way, which reads everything.
        struct Plain: TrafficBrowsing {
            let reader: StoreReader
            func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] { [] }
            func timeline(in range: TimeRange, limit: Int) throws -> TrafficTimeline { .none }
            func losses() throws -> [TrafficLoss] { [] }
            func forEachExchange(
                matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
                _ body: (StoredExchange) throws -> Bool
            ) throws { try reader.forEachExchange(matching: filter, order: order, after: after, body) }
            func exchange(_ id: StoredExchange.ID) throws -> StoredExchange? { try reader.exchange(id) }
            func forEachConnection(
                order: ExchangeOrder, after: StoredConnection.ID?, _ body: (StoredConnection) throws -> Bool
            ) throws {}
            func overview() throws -> StoreOverview { try reader.overview() }
            func state() throws -> StoreState { try reader.state() }
        }
        var filter = ExchangeFilter()
        for path in [nil, "/x/1"] {
            filter.path = path
            for count in [0, 1, 50, 1_000] {
                let newest = try reader.newest(count, matching: filter)
                #expect(try newest == Plain(reader: reader).newest(count, matching: filter))
                #expect(newest.count <= count && (count == 0 || !newest.isEmpty))
            }
        }
        let ids = [7, 3, 9_999, 300].map { StoredExchange.ID($0) }
        #expect(try reader.heads(of: ids).map(\.id) == [7, 3, 300].map { StoredExchange.ID($0) })
        #expect(try reader.heads(of: ids) == Plain(reader: reader).heads(of: ids))
    }

    @Test(
        "a search in parts finds what a search at once finds, the newest first",
        arguments: ["api.test", "-odd", "path:/odd"])
    func parts(text: String) throws {
        let other = try Folder()
        let writer = try StoreWriter.open(other.file())
        try writer.write(
            (1...10_000).map { .request(Sample.request($0, at: $0, path: $0 % 2 == 0 ? "/even" : "/odd")) })
        let store = try StoreReader.open(other.file())
        var filter = ExchangeFilter()
        filter.expression = try FilterParser.parse(text, now: Sample.moment(0))
        let whole = try store.newest(.max, matching: filter)
        var found: [ExchangeMoment] = []
        var rest: ClosedRange<StoredExchange.ID>?
        var rests: [Int64] = []
        repeat {
            let part = try store.newest(.max, matching: filter, in: rest, for: .zero)
            #expect(part.searched == rest ?? StoredExchange.ID(1)...StoredExchange.ID(10_000))
            found += part.moments
            rest = part.rest
            rests += rest.map { [$0.upperBound.rawValue] } ?? []
        } while rest != nil && rests.count < 20
        #expect(found == whole && found.count >= 5_000)
        #expect(rests == [5_904, 1_808])
        let few = try store.newest(3, matching: filter, in: nil, for: .zero)
        #expect(few.moments == Array(whole.prefix(3)) && few.rest == nil)
        #expect(try store.newest(9, matching: filter, in: nil, for: .seconds(60)).moments == Array(whole.prefix(9)))
        // Without a filter there is nothing to search: all is found, however short the time.
        let all = try store.newest(.max, matching: ExchangeFilter(), in: nil, for: .zero)
        #expect(all.moments.count == 10_000 && all.rest == nil)
        #expect(try all.moments == store.newest(.max, matching: ExchangeFilter()))
    }
}
