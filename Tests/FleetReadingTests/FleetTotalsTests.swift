import ClickHouse
import FleetTables
import Foundation
import RowBinary
import TestSupport
import Testing
import TrafficModel

@testable import FleetReading

private let address = ProcessInfo.processInfo.environment["WIREWEIGHT_FLEET_TEST"]

/// With a real ClickHouse, as ``FleetReaderTests``, and a database for each test.
@Suite("Totals of a fleet", .enabled(if: address != nil), .serialized) struct FleetTotalsTests {
    private let client: ClickHouseClient

    init() throws {
        let place = try #require(address)
        let name = "totals\(UInt32.random(in: 0...UInt32.max))"
        try ClickHouseClient(FleetURL(place), credentials: ClickHouseCredentials())
            .run("CREATE DATABASE \(name: name)")
        client = ClickHouseClient(
            try FleetURL(place.replacingOccurrences(of: "/records", with: "/\(name)")),
            credentials: ClickHouseCredentials())
    }

    /// Those by each kind of column: of an API, of an installation, and what totals do not have.
    private static let groupings = [TrafficGrouping.api, .version, .process]
    /// A day's first minute.
    private static let begin: Int64 = 1_795_219_200 / 60

    private func loader(_ installation: UInt64, version: String = "1", revision: UInt64 = 1) throws -> FleetLoader {
        var origin = FleetOrigin()
        (origin.installation, origin.revision) = (InstallationID(high: installation << 32, low: 1), revision)
        (origin.resource.service, origin.resource.version) = ("shop", version)
        (origin.resource.hostName, origin.resource.region) = (
            "host \(installation)", installation % 2 == 0 ? "eu" : "us"
        )
        let loader = FleetLoader(client: client, origin: origin)
        try loader.makeTables()
        return loader
    }

    /// Loads exchanges at random minutes of four days, from one before the first.
    private func load(
        _ installation: UInt64, version: String = "1", revision: UInt64 = 1, exchanges: Int, widths: [UInt16],
        _ random: inout SeededGenerator
    ) throws {
        var store = FakeStore()
        for number in 1...exchanges {
            let minute = Self.begin + Int64.random(in: -1_440..<4_320, using: &random)
            let started = Timestamp(nanoseconds: minute * 60_000_000_000 + 17)
            var request = RequestRecord(
                exchange: .notKept, task: .notKept, resendCount: 0, process: ProcessIdentity(pid: 1, name: "app"),
                startedAt: started, method: Bool.random(using: &random) ? "GET" : "POST", scheme: "http",
                host: "\(Int.random(in: 0..<3, using: &random)).example", port: 80,
                path: "/\(Int.random(in: 0..<3, using: &random))", query: nil, httpVersion: "1.1",
                fields: FieldSection(),
                size: .nothing)
            request.template = request.path
            request.direction = Int.random(in: 0..<9, using: &random) == 0 ? .served : .called
            let duration = Int64.random(in: 0..<9_000_000_000, using: &random)
            let end = ExchangeEnd(
                exchange: .notKept, endedAt: Timestamp(nanoseconds: started.nanoseconds + duration),
                outcome: Bool.random(using: &random) ? .completed : .timedOut, timings: ExchangeTimings())
            let id = StoredExchange.ID(Int64(number))
            store.exchanges.append(
                StoredExchange(id: id, task: id, connection: nil, request: request, response: nil, end: end))
        }
        var loader = try loader(installation, version: version, revision: revision)
        (loader.widths, loader.sendsSums) = (widths, true)
        try loader.load(store)
    }

    /// Loads the same number of exchanges of each of the installations.
    private func load(
        _ installations: ClosedRange<UInt64>, exchanges: Int, widths: [UInt16], _ random: inout SeededGenerator
    ) throws {
        for installation in installations { try load(installation, exchanges: exchanges, widths: widths, &random) }
    }

    /// Makes totals of everything that is there, as of a second that is over.
    private func makeTotals(makesAll: Bool = false) throws -> FleetTotals.Made {
        try waitForNextSecond()
        return try FleetTotals.make(client, makesAll: makesAll, settling: 0, microsecond: .random(in: 0..<1_000_000))
    }

    private func waitForNextSecond() throws {
        func second() throws -> Int64 {
            var second: Int64 = 0
            try client.forEachRow("SELECT toInt64(toUnixTimestamp(now()))") { row in
                second = row.int64()
                return false
            }
            return second
        }
        let now = try second()
        while try second() == now { usleep(20_000) }
    }

    /// Expects that all figures are the same with totals and without, in ranges with and without edges in slots.
    private func expectSame(_ random: inout SeededGenerator, parameters: [FleetURL.Parameter: String] = [:]) throws {
        var url = client.url
        url.parameters = parameters
        let client = ClickHouseClient(url, credentials: ClickHouseCredentials())
        let now = Timestamp(nanoseconds: 0)
        let plain = try FleetReader(client, now: now, usesTotals: false)
        let fleet = try FleetReader(client, now: now)
        var ranges = [TimeRange.always]
        for unit in [1, 60] as [Int64] {
            let bounds = [0, 1].map { _ in
                Timestamp(
                    nanoseconds: (Self.begin + Int64.random(in: -1_500..<4_400, using: &random)) / unit * unit
                        * 60_000_000_000)
            }.sorted()
            ranges.append(TimeRange(since: bounds[0], until: unit == 60 ? nil : bounds[1]))
        }
        for range in ranges {
            for grouping in Self.groupings {
                let (wanted, found) = (
                    try plain.totals(by: grouping, in: range), try fleet.totals(by: grouping, in: range)
                )
                #expect(Set(found) == Set(wanted), "by \(grouping) in \(range)")
                #expect(found.count == wanted.count)
            }
            let wanted = try plain.timeline(of: .called, in: range, limit: 500)
            #expect(try fleet.timeline(of: .called, in: range, limit: 500) == wanted, "\(range)")
        }
        #expect(try fleet.overview() == plain.overview())
    }

    @Test(
        "are what the sums are, whatever has arrived since",
        arguments: [[[60]], [[1_440]], [[60], [1, 60], [1_440]]] as [[[UInt16]]])
    func same(widths: [[UInt16]]) throws {
        var random = SeededGenerator(seed: 5)
        for installation in 1...6 as ClosedRange<UInt64> {
            try load(
                installation, version: "\(installation % 2)", exchanges: 30,
                widths: widths[Int(installation) % widths.count],
                &random)
        }
        let first = try makeTotals()
        #expect(first.slots >= 4)
        let sums = try client.count("sums FINAL WHERE whole = 1 AND width != 1")
        let places = try FleetReader(client, now: Timestamp(nanoseconds: 0)).sumsPlaces(.always, with: ["status"])
        #expect(places.map(\.rows).contains("total"))
        try expectSame(&random)
        try expectSame(&random, parameters: [.version: "1"])
        try expectSame(&random, parameters: [.region: "eu", .since: "2026-11-21T07:00:00Z"])
        try expectSame(&random, parameters: [.host: "host 3"])
        // Nothing has changed, and so nothing is made.
        #expect(try makeTotals().slots == 0)

        // A correction, with another version; a repetition; a late installation.
        try load(2, version: "new", revision: 2, exchanges: 20, widths: widths[2 % widths.count], &random)
        try load(7, exchanges: 9, widths: widths[7 % widths.count], &random)
        #expect(try client.count("sums FINAL WHERE whole = 1 AND width != 1") != sums)
        try expectSame(&random)
        let second = try makeTotals()
        #expect(second.slots > 0)
        try expectSame(&random)
        try expectSame(&random, parameters: [.version: "new"])
        #expect(try makeTotals(makesAll: true).slots >= second.slots)
        try expectSame(&random)
    }

    @Test("of one installation are what its sums are")
    func one() throws {
        var random = SeededGenerator(seed: 9)
        try load(1, exchanges: 60, widths: [1, 60], &random)
        _ = try makeTotals()
        let places = try FleetReader(client, now: Timestamp(nanoseconds: 0)).sumsPlaces(.always, with: ["status"])
        #expect(places.contains { $0.rows == "total" })
        try expectSame(&random)
    }

    @Test("and what a reader knows of installations are not older than the state that it has seen")
    func states() throws {
        var random = SeededGenerator(seed: 10)
        try load(1, exchanges: 60, widths: [60], &random)
        _ = try makeTotals()
        let fleet = try FleetReader(client, now: Timestamp(nanoseconds: 0))
        var states: Set<Int64> = []
        for installation in 2...4 as ClosedRange<UInt64> {
            // What it reads here it knows for a second.
            #expect(
                try fleet.totals(by: .host, in: .always).reduce(0) { $0 + $1.requests } == Int64(states.count) * 9 + 60)
            #expect(try fleet.installations().count == Int64(states.count) + 1)
            try load(installation, exchanges: 9, widths: installation == 4 ? [1_440] : [60], &random)
            if !states.isEmpty { sleep(1) }
            states.insert(try fleet.state().changes)
            let plain = try FleetReader(client, now: Timestamp(nanoseconds: 0), usesTotals: false)
            #expect(try Set(fleet.totals(by: .host, in: .always)) == Set(plain.totals(by: .host, in: .always)))
            #expect(try fleet.installations().layouts == plain.installations().layouts)
        }
        #expect(states.count == 3)
    }

    @Test("that were not made to their end count for nothing")
    func unfinished() throws {
        var random = SeededGenerator(seed: 6)
        try load(1...3, exchanges: 40, widths: [60], &random)
        _ = try makeTotals()
        try load(4, exchanges: 40, widths: [60], &random)
        try waitForNextSecond()
        struct Killed: Error {}
        // Half of the days have new rows, which no row publishes.
        #expect(throws: Killed.self) {
            try FleetTotals.make(client, makesAll: false, settling: 0, microsecond: 1) { done, days in
                if done == days / 2, done > 0 { throw Killed() }
            }
        }
        try expectSame(&random)
        _ = try makeTotals()
        try expectSame(&random)
    }

    @Test("of which very many slots have changed are left aside")
    func manyChanges() throws {
        var random = SeededGenerator(seed: 11)
        try load(1...2, exchanges: 40, widths: [60], &random)
        _ = try makeTotals()
        // An hour of each of 3,000 days.
        try client.run(
            """
            INSERT INTO sums (installation, width, whole, kind, requests, method, revision, slot)
            SELECT toUUID('00000001-0000-0000-0000-000000000001'), 60, 1, 1, 5, 'GET', 1, toInt64(number * 24 + 7)
            FROM system.numbers LIMIT 3000
            """)
        try expectSame(&random)
        let places = try FleetReader(client, now: Timestamp(nanoseconds: 0)).sumsPlaces(.always, with: ["status"])
        #expect(places.map(\.rows) == ["sums FINAL"])
    }

    @Test("stay where sums have been deleted by their age, unless all are made")
    func deleted() throws {
        var random = SeededGenerator(seed: 8)
        try load(1...3, exchanges: 40, widths: [1_440], &random)
        let before = try makeTotals()
        let fleet = try FleetReader(client, now: Timestamp(nanoseconds: 0))
        func requests() throws -> Int64 { try fleet.totals(by: .host, in: .always).reduce(0) { $0 + $1.requests } }
        #expect(try requests() == 120)
        try client.run("TRUNCATE TABLE sums")
        try load(4, exchanges: 1, widths: [1_440], &random)
        let after = try makeTotals()
        #expect(before.slots >= 4 && after.slots == 0 && after.kept == 1)
        #expect(try requests() == 120)
        #expect(try makeTotals(makesAll: true).slots == 1)
        #expect(try requests() < 120)
    }

    @Test("are left aside where a database has none, and slots that no clock has do no harm")
    func without() throws {
        var random = SeededGenerator(seed: 7)
        try load(1...3, exchanges: 9, widths: [60], &random)
        let columns = "installation, width, whole, kind, requests, revision"
        for (slot, kind) in [(Int64.max, 1), (Int64.min, 2), (1 << 40, 3), (-(1 << 40), 4)] {
            try client.run(
                """
                INSERT INTO sums (\(SQLText(ownWords: columns)), slot)
                SELECT toUUID('00000001-0000-0000-0000-000000000001'), 60, 1, \(kind), 5, 1, toInt64(\(slot))
                """)
        }
        _ = try makeTotals()
        try expectSame(&random)
        try client.run("ALTER TABLE sums DROP COLUMN arrived")
        try expectSame(&random)
        try client.run("DROP TABLE total")
        try expectSame(&random)
    }
}
