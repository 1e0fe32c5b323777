import ClickHouse
import FleetTables
import Foundation
import TestSupport
import Testing
import TrafficModel

@testable import FleetReading

private let address = ProcessInfo.processInfo.environment["WIREWEIGHT_FLEET_TEST"]

/// With a real ClickHouse, as ``FleetReaderTests``, and a database for each test.
@Suite("Installations of a fleet", .enabled(if: address != nil), .serialized) struct InstallationTests {
    /// The client of a new database.
    private func client(_ name: String) throws -> ClickHouseClient {
        let url = try #require(address).replacingOccurrences(of: "/records", with: "/\(name)")
        let credentials = ClickHouseCredentials()
        try ClickHouseClient(FleetURL(#require(address)), credentials: credentials)
            .run("CREATE DATABASE \(name: name)")
        return ClickHouseClient(try FleetURL(url), credentials: credentials)
    }

    private func loader(_ client: ClickHouseClient, _ number: UInt64) throws -> FleetLoader {
        var origin = FleetOrigin()
        (origin.installation, origin.revision) = (InstallationID(high: number << 32, low: 1), 1)
        let loader = FleetLoader(client: client, origin: origin)
        try loader.makeTables()
        return loader
    }

    /// A store with one exchange at each of those minutes.
    private func store(_ minutes: [Int64], _ direction: TrafficDirection = .called, of program: String = "app")
        -> FakeStore
    {
        var store = FakeStore()
        for (place, minute) in minutes.enumerated() {
            let started = moment(minute)
            var request = RequestRecord(
                exchange: .notKept, task: .notKept, resendCount: 0, process: ProcessIdentity(pid: 1, name: program),
                startedAt: started, method: "GET", scheme: "http", host: "a.example", port: 80, path: "/", query: nil,
                httpVersion: "1.1", fields: FieldSection(), size: .nothing)
            request.direction = direction
            let end = ExchangeEnd(
                exchange: .notKept, endedAt: started, outcome: .completed, timings: ExchangeTimings())
            let id = StoredExchange.ID(Int64(place + 1))
            store.exchanges.append(
                StoredExchange(id: id, task: id, connection: nil, request: request, response: nil, end: end))
        }
        return store
    }

    private func moment(_ minute: Int64) -> Timestamp {
        Timestamp(nanoseconds: 1_795_255_200_000_000_000 + minute * 60_000_000_000)
    }

    @Test("that sent no exchange one by one are counted, unless others stand for them or they have none in the range")
    func withoutDetails() throws {
        let client = try client("withoutdetails")
        // All of it, sums alone, not in the cohort, all of it but nothing has come.
        let settings: [(details: Double, sendsSums: Bool, sendsSumsAlone: Bool)] = [
            (1, false, false), (0, true, true), (0, true, false), (1, true, false),
        ]
        for (number, setting) in settings.enumerated() {
            var loader = try loader(client, UInt64(number + 1))
            (loader.details, loader.sendsSums) = (setting.details, setting.sendsSums)
            loader.sendsSumsAlone = setting.sendsSumsAlone
            // The second alone has something after the first hour, too.
            try loader.load(store(number == 1 ? [5, 6, 90] : [5, 6]))
        }
        let fleet = try FleetReader(client, now: Timestamp(nanoseconds: 0))
        func found(_ range: TimeRange, _ direction: TrafficDirection = .called) throws -> [Int64] {
            let coverage = try #require(try fleet.detailCoverage(of: direction, in: range))
            return [coverage.installations, coverage.withoutDetails]
        }
        #expect(try found(.always) == [4, 2])
        #expect(try found(.always, .served) == [0, 0])
        #expect(try found(TimeRange(until: moment(7))) == [4, 2])
        // The slot of the hour begins before.
        #expect(try found(TimeRange(since: moment(7))) == [1, 1])
        #expect(try found(TimeRange(since: moment(91))) == [0, 0])
    }

    @Test("have devices of their own, though each numbers them from 1")
    func devices() throws {
        let client = try client("devices")
        for (number, count) in [(0x1a2b_3c4d, 2), (7, 1)] as [(UInt64, Int64)] {
            let loader = try loader(client, number)
            try loader.load(store(Array(0..<count), .served, of: "device 1"))
        }
        func devices(_ reader: FleetReader) throws -> [String?: Int64] {
            Dictionary(
                uniqueKeysWithValues: try reader.totals(by: .device, in: .always).map { ($0.key.process, $0.requests) })
        }
        let fleet = try FleetReader(client, now: Timestamp(nanoseconds: 0))
        #expect(try devices(fleet) == ["1a2b3c4d device 1": 2, "00000007 device 1": 1])
        // One installation's are called as its own store calls them.
        var one = client.url
        one.parameters[.installation] = "\(InstallationID(high: 7 << 32, low: 1))"
        let reader = try FleetReader(
            ClickHouseClient(one, credentials: ClickHouseCredentials()), now: Timestamp(nanoseconds: 0))
        #expect(try devices(reader) == ["device 1": 1])
    }
}
