import Testing
import TrafficModel

@testable import TrafficStore

@Suite("Traffic over time")
struct TimelineTests {
    private static let minute: Int64 = 60_000

    @Test("Slots are as short as the limit lets them be, and begin at whole steps")
    func steps() {
        func timeline(minutes: Int64, limit: Int, least: Int64 = 1) -> TrafficTimeline {
            TrafficTimeline(
                from: Timestamp(nanoseconds: Sample.epoch),
                to: Timestamp(nanoseconds: Sample.epoch + minutes * 60_000_000_000), limit: limit, leastStep: least)
        }
        let expected: [(Int64, Int, Int64, Int)] = [
            (0, 60, 1, 1), (59, 60, 1, 60), (60, 60, 2, 31), (24 * 60, 60, 30, 49), (7 * 1_440, 60, 180, 57),
            (400 * 1_440, 60, 10_080, 58), (4_000 * 1_440, 60, 10_080 * 16, 36), (10, 2, 10, 2),
        ]
        for (minutes, limit, step, count) in expected {
            let timeline = timeline(minutes: minutes, limit: limit)
            #expect(timeline.step == step * 60_000_000_000, "\(minutes) minutes")
            #expect(timeline.slots.count <= limit && abs(timeline.slots.count - count) <= 1, "\(minutes) minutes")
            #expect(timeline.slots.allSatisfy { $0.begin.nanoseconds % timeline.step == 0 })
        }
        #expect(timeline(minutes: 5, limit: 60, least: 60).step == 3_600_000_000_000)
    }

    @Test("Slots count what began in them, by hand")
    func counts() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Sample.events(1, at: 0) + Sample.events(2, at: 10_000))
        try writer.write([.request(Sample.request(3, at: 2 * Self.minute)), .end(Sample.end(3, outcome: .timedOut))])
        // Still runs.
        try writer.write([.request(Sample.request(4, at: 3 * Self.minute))])
        let reader = try StoreReader.open(folder.file())
        let timeline = try reader.timeline(in: .always, limit: 60)
        #expect(timeline.step == 60_000_000_000)
        #expect(timeline.slots.map(\.requests) == [2, 0, 1, 1])
        #expect(timeline.slots.map(\.failures) == [0, 0, 1, 0])
        #expect(timeline.slots.map(\.up) == [110, 0, 55, 55])
        #expect(timeline.slots.map(\.down) == [1_178, 0, 0, 0])
        // The minute begins half a minute before the sample's moment.
        #expect(timeline.slots.first?.begin == Sample.moment(-30_000))
        let range = TimeRange(since: Sample.moment(Self.minute), until: Sample.moment(2 * Self.minute + 1))
        #expect(try reader.timeline(in: range, limit: 60).slots.map(\.requests) == [1])
        let never = TimeRange(until: Sample.moment(-3_600_000))
        #expect(try reader.timeline(in: never, limit: 60) == .none)
    }

    @Test("The exchanges themselves give the same timeline")
    func fromExchanges() throws {
        struct Bare: TrafficBrowsing {
            let reader: StoreReader
            func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] { [] }
            func forEachExchange(
                matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
                _ body: (StoredExchange) throws -> Bool
            ) throws { try reader.forEachExchange(matching: filter, order: order, after: after, body) }
            func exchange(_ id: StoredExchange.ID) throws -> StoredExchange? { nil }
            func forEachConnection(
                order: ExchangeOrder, after: StoredConnection.ID?, _ body: (StoredConnection) throws -> Bool
            ) throws {}
            func overview() throws -> StoreOverview { try reader.overview() }
            func state() throws -> StoreState { try reader.state() }
        }
        let folder = try Folder()
        let traffic = RandomTraffic(seed: 21, count: 200, span: 5 * 3_600_000)
        let writer = try StoreWriter.open(folder.file())
        for batch in traffic.batches { try writer.write(batch) }
        let reader = try StoreReader.open(folder.file())
        let timeline = try reader.timeline(in: .always, limit: 30)
        #expect(timeline.slots.reduce(0) { $0 + $1.requests } == 200)
        // From minutes the first slot can begin earlier by the rest of a minute only, never by a slot.
        #expect(try Bare(reader: reader).timeline(in: .always, limit: 30) == timeline)
        var total = TrafficTotal(key: TrafficTotal.Key())
        for exchange in traffic.exchanges { total.add(exchange) }
        var stored = TrafficTotal(key: TrafficTotal.Key())
        for one in try reader.totals(by: .method, in: .always) { stored.merge(one) }
        #expect(total == stored)
    }

    @Test("Minutes that are no longer kept are shown by the hour, once each")
    func retention() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(10 * 3_600_000) })
        for number in Int64(0)..<60 { try writer.write(Sample.events(number + 1, at: number * 6 * Self.minute)) }
        let policy = RetentionPolicy(maxAge: 1, minutesAge: 7 * 3_600_000_000_000)
        for _ in 0..<2 { while try writer.retain(policy) {} }
        let reader = try StoreReader.open(folder.file())
        let timeline = try reader.timeline(in: .always, limit: 60)
        #expect(timeline.step == 3_600_000_000_000)
        #expect(timeline.slots.map(\.requests) == [10, 10, 10, 10, 10, 10])
        // Rows are gone, sums by status and type are not.
        #expect(try reader.overview().exchanges == 0)
        #expect(try reader.totals(by: .status, in: .always).map(\.requests) == [60])
        #expect(try reader.totals(by: .type, in: .always).map(\.requests) == [60])
        #expect(try reader.totals(by: .path, in: .always).isEmpty)
        #expect(try reader.overview().firstSeen == Sample.moment(0))
        #expect(try reader.overview().lastSeen == Sample.moment(59 * 6 * Self.minute))
    }
}
