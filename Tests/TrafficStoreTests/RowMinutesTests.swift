import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// Minutes that are more than two hours old have no sums while each of their exchanges has a row.
@Suite struct RowMinutesTests {
    private static let hour: Int64 = 3_600_000

    /// Six hours of traffic in the order of time.
    private func traffic(_ seed: UInt64) -> RandomTraffic {
        var traffic = RandomTraffic(seed: seed, count: 600, span: 6 * Self.hour)
        traffic.exchanges.sort { $0.request.startedAt < $1.request.startedAt }
        return traffic
    }

    private func write(_ exchanges: [Exchange], into writer: StoreWriter) throws {
        for first in stride(from: 0, to: exchanges.count, by: 20) {
            try writer.write(exchanges[first..<min(first + 20, exchanges.count)].flatMap(\.events))
        }
    }

    private static let ranges =
        [TimeRange.always]
        + stride(from: Int64(0), to: 350, by: 37).flatMap { (minute: Int64) -> [TimeRange] in
            let since = Sample.moment(minute * 60_000)
            return [1, 25, 95].map { TimeRange(since: since, until: Sample.moment((minute + $0) * 60_000)) }
        }

    private func expectTotals(
        _ traffic: RandomTraffic, _ reader: StoreReader, _ location: SourceLocation = #_sourceLocation
    ) throws {
        for range in Self.ranges {
            for grouping in [TrafficGrouping.api, .status, .type, .process] {
                let byKey = Dictionary(
                    uniqueKeysWithValues: try reader.totals(by: grouping, in: range).map { ($0.key, $0) })
                #expect(
                    byKey == traffic.totals(by: grouping, in: range.inWholeMinutes), "\(grouping) \(range)",
                    sourceLocation: location)
            }
        }
    }

    private func count(_ writer: StoreWriter, _ sql: String) throws -> Int {
        try writer.queue.read { try Int.fetchOne($0, sql: sql) } ?? 0
    }

    @Test(arguments: [UInt64(21), 22]) func reportsAreTheSameWithoutSumsOfMinutes(_ seed: UInt64) throws {
        let folder = try Folder()
        let traffic = traffic(seed)
        let writer = try StoreWriter.open(folder.file())
        try write(traffic.exchanges, into: writer)
        let newest = TimeSlot.minute(of: try #require(traffic.exchanges.last).request.startedAt)
        #expect(try count(writer, "SELECT count(*) FROM rollup_minute WHERE slot < \(newest - 120)") == 0)
        #expect(try count(writer, "SELECT count(*) FROM rollup_minute WHERE slot >= \(newest - 120)") > 100)
        #expect(try count(writer, "SELECT count(*) FROM span WHERE by_rows") > 150)
        try expectTotals(traffic, StoreReader.open(folder.file()))
        try writer.close()
        var closed = traffic
        for index in closed.exchanges.indices where closed.exchanges[index].end == nil {
            closed.exchanges[index].end = ExchangeEnd(
                exchange: ExchangeID(0), endedAt: closed.exchanges[index].request.startedAt, outcome: .abandoned,
                timings: ExchangeTimings())
        }
        try expectTotals(closed, StoreReader.open(folder.file()))
    }

    @Test func sumsAreMadeFromRowsBeforeRetentionDeletesThem() throws {
        let folder = try Folder()
        let traffic = traffic(23)
        let writer = try StoreWriter.open(folder.file(), now: { Sample.moment(6 * Self.hour) })
        try write(traffic.exchanges, into: writer)
        let reader = try StoreReader.open(folder.file())
        let policy = RetentionPolicy(maxAge: 3 * Self.hour * 1_000_000, step: 50)
        let before = try count(writer, "SELECT count(*) FROM exchange")
        let range = TimeRange(since: Sample.moment(1_000_000), until: Sample.moment(9_000_000))
        let requests = try reader.totals(by: .method, in: range).reduce(0) { $0 + $1.requests }
        while try writer.retain(policy) {
            #expect(try reader.totals(by: .method, in: range).reduce(0) { $0 + $1.requests } == requests)
        }
        try expectTotals(traffic, reader)
        #expect(try count(writer, "SELECT count(*) FROM exchange") < before * 2 / 3)
        // What is deleted has sums; what is kept has none.
        let kept = TimeSlot.minute(of: Sample.moment(3 * Self.hour))
        #expect(try count(writer, "SELECT count(*) FROM rollup_minute WHERE slot < \(kept)") > 100)
        #expect(try count(writer, "SELECT count(*) FROM span WHERE by_rows") > 30)
    }

    @Test func whatComesLateIsCountedOnce() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        let late = Int64(5) * 60_000
        for minute in Int64(0)..<200 {
            try writer.write(Sample.events(minute + 1, at: minute * 60_000))
            if minute == 5 { try writer.write([.request(Sample.request(1_000, at: late))]) }
        }
        let reader = try StoreReader.open(folder.file())
        let slot = TimeSlot.minute(of: Sample.moment(late))
        func expect(_ requests: Int64, ended: Int64, sums: Int, _ location: SourceLocation = #_sourceLocation) throws {
            let range = TimeRange(since: Sample.moment(late - 30_000), until: Sample.moment(late + 30_000))
            let total = try #require(try reader.totals(by: .host, in: range).first, sourceLocation: location)
            #expect(total.requests == requests && total.latency.count == ended, sourceLocation: location)
            let sum = try count(writer, "SELECT sum(requests) FROM rollup_minute WHERE slot = \(slot)")
            #expect(sum == sums, sourceLocation: location)
        }
        try expect(2, ended: 1, sums: 0)
        // The row that was there already counts.
        try writer.write([.end(Sample.end(1_000, at: late + 50))])
        try expect(2, ended: 2, sums: 0)
        // One that is not kept makes sums of all.
        var sampled = Sample.request(1_001, at: late)
        sampled.keepsDetail = false
        try writer.write([.request(sampled), .end(Sample.end(1_001, at: late + 50))])
        try expect(3, ended: 3, sums: 3)
        try writer.write(Sample.events(1_002, at: late))
        try expect(4, ended: 4, sums: 4)
        // So does a new row.
        try writer.write(Sample.events(1_003, at: late + 60_000))
        #expect(try count(writer, "SELECT sum(requests) FROM rollup_minute WHERE slot = \(slot + 1)") == 2)
        #expect(try reader.totals(by: .host, in: .always).map(\.requests) == [204])
    }

    @Test(arguments: [(RowMinutes.mostRows, 0), (RowMinutes.mostRows + 1, 1)])
    func minutesWithVeryManyExchangesKeepSums(_ requests: Int64, _ sums: Int) throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write((1...requests).flatMap { Sample.events($0) })
        try writer.write(Sample.events(requests + 1, at: 3 * Self.hour))
        #expect(try count(writer, "SELECT count(*) FROM rollup_minute") == sums + 1)
        try writer.close()
    }

    @Test func minutesWithExchangesThatAreNotKeptHaveSums() throws {
        let folder = try Folder()
        var traffic = traffic(24)
        for index in stride(from: 0, to: 600, by: 3) { traffic.exchanges[index].request.keepsDetail = false }
        let writer = try StoreWriter.open(folder.file())
        try write(traffic.exchanges, into: writer)
        try expectTotals(traffic, StoreReader.open(folder.file()))
        #expect(try count(writer, "SELECT count(*) FROM span WHERE by_rows") > 30)
        #expect(
            try count(
                writer, "SELECT count(*) FROM rollup_minute WHERE slot IN (SELECT minute FROM span WHERE by_rows)")
                == 0)
    }
}
