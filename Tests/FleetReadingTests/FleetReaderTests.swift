import ClickHouse
import FleetTables
import Foundation
import RowBinary
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import FleetReading

/// With a real ClickHouse, whose address `make integration-fleet` passes on with a store.
private let environment = ProcessInfo.processInfo.environment
private let address = environment["WIREWEIGHT_FLEET_TEST"]

@Suite("A fleet of one store", .enabled(if: address != nil), .serialized) struct FleetReaderTests {
    private let store: StoreReader
    private let fleet: FleetReader

    init() throws {
        store = try StoreReader.open(try #require(environment["WIREWEIGHT_FLEET_STORE"]))
        fleet = try Self.loaded(store)
    }

    private static func client(_ parameters: String = "") throws -> ClickHouseClient {
        ClickHouseClient(try FleetURL(try #require(address) + parameters), credentials: ClickHouseCredentials())
    }

    private static func loaded(_ store: StoreReader) throws -> FleetReader {
        var origin = FleetOrigin()
        origin.installation = InstallationID(high: 0x61f0_c404_5cb3_41e7, low: 0x907b_a600_6ad3_dba0)
        (origin.resource.service, origin.resource.version, origin.revision) = ("it's", "2.3", 1)
        (origin.resource.region, origin.resource.carrier) = ("eu", "it's mobile")
        let client = try client()
        // Each test sends everything again, which changes nothing.
        let loader = FleetLoader(client: client, origin: origin)
        try loader.makeTables()
        try loader.load(store)
        return try FleetReader(client, now: Timestamp(nanoseconds: 0))
    }

    private var bounds: (first: Timestamp, last: Timestamp) {
        get throws {
            let overview = try store.overview()
            return (try #require(overview.firstSeen), try #require(overview.lastSeen))
        }
    }

    @Test("has the totals of each grouping, in any range")
    func totals() throws {
        let (first, last) = try bounds
        let middle = Timestamp(nanoseconds: (first.nanoseconds + last.nanoseconds) / 2)
        for range in [TimeRange.always, TimeRange(since: middle), TimeRange(until: middle), TimeRange(since: last)] {
            for grouping in TrafficGrouping.allCases {
                let wanted = try store.totals(by: grouping, in: range)
                let found = try fleet.totals(by: grouping, in: range)
                #expect(Set(found) == Set(wanted), "by \(grouping) in \(range)")
                #expect(found.count == wanted.count)
            }
            for direction in TrafficDirection.allCases {
                let coverage = try fleet.ledgerCoverage(of: direction, in: range)
                #expect(try coverage == store.ledgerCoverage(of: direction, in: range))
                for limit in [2, 24, 1_000] {
                    let timeline = try fleet.timeline(of: direction, in: range, limit: limit)
                    #expect(try timeline == store.timeline(of: direction, in: range, limit: limit))
                }
            }
            #expect(try fleet.directions(in: range) == store.directions(in: range))
        }
        #expect(try fleet.losses() == store.losses())
        #expect(try fleet.overview() == store.overview())
    }

    @Test("has the same sums of few rows and of many, also where groups have the same code")
    func waysOfSums() throws {
        let columns = ["direction", "method", "authority", "template"]
        func sums(fewRows: Int64, codeBits: Int = 48) throws -> [[String]: TrafficSums] {
            let groups = try fleet.sums(
                by: columns, of: .init(table: "sums", hasVersions: true, condition: "width = 60"), fewRows: fewRows,
                codeBits: codeBits
            ) { row in
                ["\(row.uint8())", row.text(), row.text(), row.text()]
            }
            return Dictionary(uniqueKeysWithValues: groups.map { ($0.key, $0.sums) })
        }
        let wanted = try sums(fewRows: .max)
        try #require(wanted.count > 3)
        #expect(try sums(fewRows: 0) == wanted)
        #expect(try sums(fewRows: 0, codeBits: 0) == wanted)
        #expect(try sums(fewRows: 0, codeBits: 1) == wanted)
    }

    private func all(
        _ reader: any TrafficBrowsing, _ filter: ExchangeFilter, _ order: ExchangeOrder, _ after: StoredExchange.ID?
    ) throws -> [StoredExchange] {
        var all: [StoredExchange] = []
        try reader.forEachHead(matching: filter, order: order, after: after) {
            all.append($0)
            return true
        }
        return all
    }

    @Test("has the same exchanges in each order, and after any of them")
    func exchanges() throws {
        let everything = try all(store, ExchangeFilter(), .oldestFirst, nil)
        try #require(everything.count > 100)
        #expect(try all(fleet, ExchangeFilter(), .oldestFirst, nil) == everything)
        let middle = everything[everything.count / 2]
        for order in [ExchangeOrder.oldestFirst, .newestFirst] {
            let wanted = try all(store, ExchangeFilter(), order, middle.id)
            #expect(try all(fleet, ExchangeFilter(), order, middle.id) == wanted)
        }
        let ids = [middle.id, StoredExchange.ID(1 << 40), everything[0].id]
        #expect(try fleet.heads(of: ids) == store.heads(of: ids))
        #expect(try fleet.exchange(StoredExchange.ID(1 << 40)) == nil)
        #expect(try fleet.newest(7, matching: ExchangeFilter()) == store.newest(7, matching: ExchangeFilter()))
        let start = try store.start(ofNewest: 7, matching: ExchangeFilter())
        #expect(try fleet.start(ofNewest: 7, matching: ExchangeFilter()) == start)
    }

    @Test("finds the same exchanges by random filters")
    func filters() throws {
        let everything = try all(store, ExchangeFilter(), .oldestFirst, nil)
        var random = SeededGenerator(seed: 21)
        var matched = 0
        for _ in 0..<150 {
            var filter = ExchangeFilter()
            let some = try #require(everything.randomElement(using: &random))
            switch Int.random(in: 0...9, using: &random) {
            case 0: filter.host = some.request.authority
            case 1: filter.task = some.task
            case 2: filter.path = String(some.request.path.prefix(8))
            case 3: filter.range.since = some.request.startedAt
            case 4: filter.range.until = some.request.startedAt
            case 5: filter.connection = some.connection
            case 6: filter.status = 400...599
            case 7: filter.failedOnly = true
            default: filter.expression = FilterExpression.random(&random)
            }
            let wanted = try all(store, filter, .newestFirst, nil)
            #expect(try all(fleet, filter, .newestFirst, nil) == wanted, "\(filter)")
            matched += wanted.count
        }
        #expect(matched > 0)
    }

    @Test("has the same connections")
    func connections() throws {
        let wanted = try store.connections()
        try #require(wanted.count > 3)
        #expect(try fleet.connections() == wanted)
        #expect(try fleet.connectionCount() == Int64(wanted.count))
        let ids = [wanted[2].id, wanted[0].id, StoredConnection.ID(1 << 40)]
        #expect(try fleet.connections(of: ids) == store.connections(of: ids))
    }

    @Test("has what the address selects, and says if that is nothing")
    func selection() throws {
        let whole = try store.totals(by: .direction, in: .always)
        let same = try FleetReader(Self.client("?service=it%27s&version=2.3"), now: Timestamp(nanoseconds: 0))
        #expect(try Set(same.totals(by: .direction, in: .always)) == Set(whole))
        let none = try #require(throws: ClickHouseError.self) {
            try FleetReader(Self.client("?version=2.4"), now: Timestamp(nanoseconds: 0))
        }
        #expect(none.code == .missing && none.message.contains("version=2.4"))
        let (_, last) = try bounds
        let late = try FleetReader(
            Self.client("?since=1h"), now: Timestamp(nanoseconds: last.nanoseconds + 9_000_000_000_000))
        #expect(try late.totals(by: .api, in: .always).isEmpty)
        #expect(try late.newest(1, matching: ExchangeFilter()).isEmpty)
    }
}
