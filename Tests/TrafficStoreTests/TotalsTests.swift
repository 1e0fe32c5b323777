import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct TotalsTests {
    static let minute: Int64 = 60_000_000_000

    @Test(arguments: [UInt64(1), 2, 3], TrafficGrouping.allCases)
    func totalsAreTheSumsOfTheExchanges(_ seed: UInt64, _ grouping: TrafficGrouping) throws {
        let folder = try Folder()
        let traffic = RandomTraffic(seed: seed, count: 600, span: 4 * 3_600_000)
        let writer = try StoreWriter.open(folder.file())
        for batch in traffic.batches { try writer.write(batch) }
        let reader = try StoreReader.open(folder.file())

        var generator = SeededGenerator(seed: seed)
        var ranges = [TimeRange.always]
        for _ in 0..<6 {
            let ends = (0..<2).map { _ in
                Sample.epoch + Int64.random(in: -3_600...18_000, using: &generator) * 1_000_000_000
            }
            ranges.append(TimeRange(since: Timestamp(nanoseconds: ends[0])))
            ranges.append(TimeRange(until: Timestamp(nanoseconds: ends[0])))
            ranges.append(
                TimeRange(
                    since: Timestamp(nanoseconds: ends.min()!), until: Timestamp(nanoseconds: ends.max()!)))
        }
        for range in ranges {
            let totals = try reader.totals(by: grouping, in: range)
            let byKey = Dictionary(uniqueKeysWithValues: totals.map { ($0.key, $0) })
            let expected = traffic.totals(by: grouping, in: isWidened(grouping) ? widened(range) : range)
            #expect(byKey == expected, "\(range)")
        }
    }

    @Test func bothTiersHoldEveryEndedExchangeOnceTheWriterIsClosed() throws {
        let folder = try Folder()
        let traffic = RandomTraffic(seed: 9, count: 300, span: 3 * 3_600_000)
        let writer = try StoreWriter.open(folder.file())
        for batch in traffic.batches { try writer.write(batch) }
        try writer.close()
        // Closing ends what was open.
        for table in ["rollup_minute", "rollup_hour"] { #expect(try requests(folder, table) == 300) }
    }

    @Test func anHourIsWrittenWhenItsMinuteIsLeftAndTotalsAreRightMeanwhile() throws {
        let folder = try Folder()
        let first = try StoreWriter.open(folder.file())
        let second = try StoreWriter.open(folder.file())
        func expect(_ all: Int64, inHours: Int, _ location: SourceLocation = #_sourceLocation) throws {
            let reader = try StoreReader.open(folder.file())
            #expect(try reader.totals(by: .api, in: .always).map(\.requests) == [all], sourceLocation: location)
            #expect(try requests(folder, "rollup_minute") == Int(all), sourceLocation: location)
            #expect(try requests(folder, "rollup_hour") == inHours, sourceLocation: location)
            #expect(try reader.overview().firstSeen == Sample.moment(0), sourceLocation: location)
        }
        try first.write(Sample.events(1, at: 0))
        try second.write(Sample.events(1, at: 1))
        try expect(2, inHours: 0)
        try first.write(Sample.events(2, at: 60_000))
        try expect(3, inHours: 2)
        // The other writer comes late to a minute that was left.
        try second.write(Sample.events(2, at: 2))
        try expect(4, inHours: 3)
        try second.write(Sample.events(3, at: 120_000))
        try expect(5, inHours: 4)
        try first.write(Sample.events(3, at: 60_001) + Sample.events(4, at: 120_001))
        try expect(7, inHours: 5)
        try first.close()
        try expect(7, inHours: 7)
        try second.write(Sample.events(4, at: 120_002))
        try expect(8, inHours: 8)
        try second.close()
        try expect(8, inHours: 8)
    }

    private func requests(_ folder: Folder, _ table: String) throws -> Int {
        let queue = try DatabaseQueue(path: folder.file())
        return try queue.read { try Int.fetchOne($0, sql: "SELECT sum(requests) FROM \(table)") } ?? 0
    }

    @Test func bucketsAreThoseOfTheModel() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100_000 {
            let nanoseconds =
                Int64.random(in: 1...Int64.max, using: &generator) >> Int64.random(in: 0...62, using: &generator)
            guard nanoseconds > 0 else { continue }
            let bucket = LatencyHistogram.bucket(nanoseconds: nanoseconds)
            #expect(bucket == Int(LatencyHistogram.index(seconds: Double(nanoseconds) * 1e-9)))
        }
    }

    @Test(arguments: [0.5, 0.9, 0.99]) func percentilesAreOffByAtMostElevenInAThousand(_ share: Double) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        var generator = SeededGenerator(seed: 5)
        var latencies: [Int64] = []
        var events: [TrafficEvent] = []
        for id in 1...2_000 {
            let latency = Int64(Double(1_000) * Double.random(in: 1...1_000_000, using: &generator))
            latencies.append(latency)
            events += [.request(Sample.request(Int64(id))), .end(Sample.end(Int64(id), total: latency))]
        }
        try writer.write(Array(events.prefix(1_501)))
        try writer.write(Array(events.dropFirst(1_501)))
        latencies.sort()
        let exact = Double(latencies[Int((share * 2_000).rounded(.up)) - 1])
        let total = try #require(try StoreReader.open(folder.file()).totals(by: .host, in: .always).first)
        #expect(total.latency.count == 2_000)
        let told = try #require(total.latency.percentile(share))
        #expect(abs(Double(told) - exact) / exact <= 0.011)
    }

    private func isWidened(_ grouping: TrafficGrouping) -> Bool {
        grouping == .api || grouping == .host || grouping == .method
    }

    private func widened(_ range: TimeRange) -> TimeRange {
        TimeRange(
            since: range.since.map { Timestamp(nanoseconds: $0.nanoseconds / Self.minute * Self.minute) },
            until: range.until.map {
                Timestamp(nanoseconds: ($0.nanoseconds + Self.minute - 1) / Self.minute * Self.minute)
            })
    }
}
