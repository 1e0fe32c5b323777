import Foundation
import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// A file of 0.1.0, whose rows were packed into blobs, is read as before.
@Suite struct ReleasedStoreTests {
    /// Traffic of all sorts, and an exchange with everything that one can have.
    private func events(unit: Int64) -> (events: [TrafficEvent], stored: [StoredExchange]) {
        var traffic = RandomTraffic(seed: 11, count: 600, span: 7_200_000, unit: unit)
        for index in traffic.exchanges.indices {
            let number = Int64(index)
            if number % 3 == 0 { traffic.exchanges[index].request.query = number % 2 == 0 ? "page=1" : "q=\(number)" }
            if number % 4 == 0 { traffic.exchanges[index].request.bodyDigest = UInt64(bitPattern: number - 8) }
            if number % 5 == 0 { traffic.exchanges[index].response?.bodyDigest = .max - UInt64(number) }
            if number % 6 == 0 { traffic.exchanges[index].response?.capturedBody = Array("body \(number)".utf8) }
            traffic.exchanges[index].request.path = ["/x/\(number)", "/y", "/odd/é", ""][index % 4]
            traffic.exchanges[index].request.fields = Sample.section(
                "Host: a.test", "Date: Fri, 21 Nov 2025 00:00:\(10 + number % 50) GMT", "X-Number: \(number)")
            if number % 7 == 0 { traffic.exchanges[index].request.fields = FieldSection() }
            if number > 0, number % 8 == 0 {
                traffic.exchanges[index].request.task = ExchangeID(number)
                traffic.exchanges[index].request.resendCount = 1
            }
            traffic.exchanges[index].end?.remoteAddress = ["", "10.0.0.1:443", "[::1]:80"][index % 3]
            if traffic.exchanges[index].end?.outcome.failure != nil, number % 2 == 0 {
                traffic.exchanges[index].end?.outcome = .failed(
                    ExchangeFailure(.urlSession, code: -1_005, message: "lost"))
            }
        }
        let events = traffic.exchanges.flatMap(\.events)
        let stored = traffic.exchanges.map { exchange in
            var stored = StoredExchange(exchange)
            stored.task = StoredExchange.ID(exchange.request.task.rawValue)
            return stored
        }
        return (events, stored)
    }

    @Test("whatever it has, to the microsecond", arguments: [1, 1_000])
    func everything(unit: Int64) throws {
        let folder = try Folder()
        let (events, stored) = events(unit: unit)
        let writer = try StoreWriter.open(folder.file("newer.db"))
        // The writer stays open, so that running exchanges keep running.
        try writer.write(events)
        try ReleasedStore.make(from: folder.file("newer.db"), at: folder.file(), exchanges: stored)
        let newer = try StoreReader.open(folder.file("newer.db"))
        let reader = try StoreReader.open(folder.file())
        let exchanges = try reader.exchanges()
        #expect(exchanges.count == 600)
        #expect(try exchanges == newer.exchanges())
        if unit == 1_000 { #expect(exchanges == stored) }
        for grouping in TrafficGrouping.allCases {
            #expect(
                try Set(reader.totals(by: grouping, in: .always)) == Set(newer.totals(by: grouping, in: .always)),
                "\(grouping)")
        }
        let half = TimeRange(since: Sample.moment(1_000_000), until: Sample.moment(5_000_000))
        #expect(try Set(reader.totals(by: .api, in: half)) == Set(newer.totals(by: .api, in: half)))
        #expect(try reader.overview() == newer.overview())
        var filter = ExchangeFilter()
        filter.failedOnly = true
        #expect(try reader.exchanges(filter) == exchanges.filter(\.hasFailed))
        filter = ExchangeFilter()
        filter.task = StoredExchange.ID(8)
        #expect(try reader.exchanges(filter).map(\.id.rawValue) == [8, 9])
        filter = ExchangeFilter()
        filter.path = "/odd/"
        #expect(try reader.exchanges(filter) == exchanges.filter { $0.request.path.hasPrefix("/odd/") })
    }

    @Test("and what a writer adds has one row with it")
    func writing() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file("newer.db"))
        try writer.write(Sample.events(1) + [.request(Sample.request(2))])
        try ReleasedStore.make(
            from: folder.file("newer.db"), at: folder.file(), change: "UPDATE run SET pid = 1073741823")
        let again = try StoreWriter.open(folder.file())
        try again.write(Sample.events(3))
        try again.close()
        let reader = try StoreReader.open(folder.file())
        let outcomes = try reader.exchanges().map(\.end?.outcome)
        #expect(outcomes == [.completed, .abandoned, .completed])
        #expect(try reader.totals(by: .api, in: .always).map(\.requests) == [3])
        let tables = try writer.queue.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE name LIKE 'released%'")
        }
        #expect(tables == [])
    }

    @Test("as far as it goes if it is damaged")
    func damage() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file("newer.db"))
        try writer.write(Sample.events(1))
        try writer.close()
        try ReleasedStore.make(
            from: folder.file("newer.db"), at: folder.file(),
            change: """
                UPDATE exchange SET request = x'ffffffffffffffffffffff7f', ending = x'ffffffffffffffffff7fffff',
                    started = 9223372036854775807;
                UPDATE response SET details = x'', first_byte = -9223372036854775808;
                UPDATE rollup_all SET sums = x'ffffffffffffffffff7f';
                """)
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.exchanges().count == 1)
        _ = try reader.totals(by: .api, in: .always)
    }
}
