import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct TotalsTests {
    private static let tiers = ["rollup_minute", "rollup_hour", "rollup_day", "rollup_all", "timeline"]

    @Test(arguments: [UInt64(1), 2], TrafficGrouping.allCases)
    func totalsAreTheSumsOfTheExchanges(_ seed: UInt64, _ grouping: TrafficGrouping) throws {
        let folder = try Folder()
        let traffic = RandomTraffic(seed: seed, count: 300, span: 4 * 3_600_000)
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
            let expected = traffic.totals(by: grouping, in: grouping.countsRows ? range : range.inWholeMinutes)
            #expect(byKey == expected, "\(range)")
        }
    }

    /// Days of traffic in the order of its start, with late events, writers that start and stop, and two at once.
    @Test(arguments: [UInt64(11), 12]) func tiersAgreeWhateverEntersThemLate(_ seed: UInt64) throws {
        let folder = try Folder()
        let day = 24 * 3_600
        var traffic = RandomTraffic(seed: seed, count: 540, span: Int64(3 * day) * 1_000)
        var generator = SeededGenerator(seed: seed)
        // In the order of time but for one in ten.
        let order = traffic.exchanges.filter { $0.end != nil }.map { exchange in
            let delay = Int.random(in: 0..<10, using: &generator) == 0 ? Int64(day) * 1_000_000_000 : 0
            return (exchange.request.startedAt.nanoseconds + delay, exchange)
        }.sorted { $0.0 < $1.0 }.map(\.1)
        traffic.exchanges = order
        var writers = [try StoreWriter.open(folder.file()), try StoreWriter.open(folder.file())]
        for first in stride(from: 0, to: order.count, by: 9) {
            let place = Int.random(in: 0...1, using: &generator)
            try writers[place].write(
                order[first..<min(first + 9, order.count)].flatMap { exchange -> [TrafficEvent] in
                    [.request(exchange.request)] + (exchange.response.map { [.response($0)] } ?? [])
                        + (exchange.end.map { [.end($0)] } ?? [])
                })
            if Int.random(in: 0..<20, using: &generator) == 0 {
                try writers[place].close()
                writers[place] = try StoreWriter.open(folder.file())
            }
        }
        let reader = try StoreReader.open(folder.file())
        func check(_ ranges: [TimeRange]) throws {
            for range in ranges {
                for grouping in [TrafficGrouping.api, .status, .process] {
                    let byKey = Dictionary(
                        uniqueKeysWithValues: try reader.totals(by: grouping, in: range).map { ($0.key, $0) })
                    #expect(byKey == traffic.totals(by: grouping, in: range.inWholeMinutes), "\(grouping) \(range)")
                }
                let total = try reader.totals(by: .method, in: range)
                let slots = try reader.timeline(in: range, limit: 40).slots
                #expect(slots.count <= 40)
                #expect(slots.reduce(0) { $0 + $1.requests } == total.reduce(0) { $0 + $1.requests })
                #expect(slots.reduce(0) { $0 + $1.failures } == total.reduce(0) { $0 + $1.failures })
                #expect(slots.reduce(.zero) { $0 + $1.up } == total.reduce(.zero) { $0 + $1.up.total })
                #expect(slots.reduce(.zero) { $0 + $1.down } == total.reduce(.zero) { $0 + $1.down.total })
            }
        }
        let ranges = (0..<12).map { _ in
            let ends = (0..<2).map { _ in
                Sample.epoch + Int64.random(in: -3_600...Int64(3 * day), using: &generator) * 1_000_000_000
            }
            return TimeRange(
                since: Timestamp(nanoseconds: ends.min()!), until: Timestamp(nanoseconds: ends.max()! + 1))
        }
        let wide = TimeRange(
            since: Timestamp(nanoseconds: Sample.epoch - 86_400_000_000_000),
            until: Timestamp(nanoseconds: Sample.epoch + 5 * 86_400_000_000_000))
        try check([.always, wide] + ranges)
        for writer in writers { try writer.close() }
        try check([.always, wide] + ranges)
        for table in Self.tiers { #expect(try requests(folder, table) == order.count, "\(table)") }
    }

    @Test func allTiersHoldEveryEndedExchangeOnceTheWriterIsClosed() throws {
        let folder = try Folder()
        let traffic = RandomTraffic(seed: 9, count: 300, span: 3 * 3_600_000)
        let writer = try StoreWriter.open(folder.file())
        for batch in traffic.batches { try writer.write(batch) }
        try writer.close()
        // Closing ends what was open.
        for table in Self.tiers { #expect(try requests(folder, table) == 300, "\(table)") }
    }

    @Test func sumsOfDaysAreRightAndLeaveMemoryWhereThereAreMany() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let hosts: Int64 = 700
        for hour in Int64(0)..<4 {
            for first in stride(from: 0, to: hosts, by: 100) {
                try writer.write(
                    (first..<first + 100).flatMap { host -> [TrafficEvent] in
                        let (number, moment) = (hour * hosts + host + 1, hour * 3_600_000 + host)
                        return [
                            .request(Sample.request(number, at: moment, host: "h\(host).test")),
                            .end(Sample.end(number, at: moment + 50 + host)),
                        ]
                    })
            }
        }
        for tier in ["hours", "days", "allTime"] {
            let sums = Mirror(reflecting: writer.statements.tiers).descendant(tier, "sums") as? [TrafficSums]
            #expect(try #require(sums).count <= (tier == "hours" ? 2_048 : 256), "\(tier)")
        }
        let reader = try StoreReader.open(folder.file())
        let totals = try reader.totals(by: .host, in: .always)
        #expect(totals.count == hosts)
        #expect(totals.allSatisfy { $0.requests == 4 && $0.latency.count == 4 })
        try writer.close()
        #expect(try reader.totals(by: .host, in: .always) == totals)
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
        // The rows of minutes without sums count for them.
        let rows =
            table == "rollup_minute"
            ? "(SELECT count(*) FROM exchange e JOIN span s ON s.minute = e.started / 60000000 WHERE s.by_rows)" : "0"
        return try DatabaseQueue(path: folder.file()).read {
            try Int.fetchOne($0, sql: "SELECT coalesce(sum(requests), 0) + \(rows) FROM \(table)") ?? 0
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
}
