import ClickHouse
import FleetTables
import Foundation
import RowBinary
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficShipping

/// Many installations ship to a real ClickHouse, and everything between goes wrong: `make prove-fleet`.
@Suite("A fleet with trouble", .enabled(if: FleetProof.url != nil)) struct FleetProofTests {
    @Test("misses nothing that was acknowledged, counts nothing twice, and has the sums of the stores")
    func proof() throws {
        let url = try #require(FleetProof.url)
        let client = ClickHouseClient(try FleetURL(url), credentials: ClickHouseCredentials())
        var fleet = FleetProof(client)
        let most = ProcessInfo.processInfo.environment["WIREWEIGHT_FLEET_INSTALLATIONS"].flatMap { Int($0) } ?? 100
        for number in 0..<most { try fleet.addInstallation(number) }
        try fleet.destination.sendLate()
        let seen = fleet.destination.seen
        // Each kind of trouble has come.
        #expect(Set(seen.keys).isSuperset(of: ["refused", "lost", "doubled", "late", "halved"]))
        #expect(try fleet.sums() == fleet.truth)
        let rows = try fleet.counts("SELECT toInt64(count()), toInt64(uniqExact(installation)) FROM exchange FINAL")
        #expect(rows == [fleet.exchanges, Int64(most)])
        #expect(try fleet.counts("SELECT toInt64(sum(exchanges)) FROM installation FINAL") == [fleet.exchanges])
        #expect(try fleet.counts("SELECT toInt64(count()) FROM loss FINAL") == [0])
        // A wrong clock makes no partition; a proof may go on over midnight.
        #expect(try fleet.counts("SELECT toInt64(uniqExact(received)) FROM exchange")[0] <= 2)
        let stored = try fleet.counts("SELECT toInt64(count()) FROM exchange")
        print(
            "\(most) installations, \(fleet.exchanges) exchanges once each, of \(stored[0]) rows that wait to be merged; "
                + seen.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    }
}

/// The installations, and what is true of them.
struct FleetProof {
    static var url: String? { ProcessInfo.processInfo.environment["WIREWEIGHT_FLEET_PROOF"] }

    /// Requests, failures and bytes by version and host.
    struct Key: Hashable {
        var version: String
        var host: String
    }

    let destination: TroubledDestination
    private let client: ClickHouseClient
    private var generator = SeededGenerator(seed: 21)
    private(set) var truth: [Key: [Int64]] = [:]
    private(set) var exchanges: Int64 = 0

    init(_ client: ClickHouseClient) {
        self.client = client
        destination = TroubledDestination(ClickHouseDestination(client))
    }

    /// By how much a clock is wrong: of ten, four are, by years.
    private static let wrong: [Int64] = [3, -8, 30, -55, 0, 0, 0, 0, 0, 0].map { $0 * 365 * 86_400_000 }

    /// Fills a store, ships it, adds to it, and ships it again; then the store is gone.
    mutating func addInstallation(_ number: Int) throws {
        let rig = try Rig()
        let version = "2.\(number % 3)"
        let offset = Self.wrong[number % Self.wrong.count]
        let opened = Traffic.moment(offset)
        let writer = try StoreWriter.open(
            rig.path, resource: TrafficResource(service: "proof", version: version), now: { opened })
        var next: Int64 = 1
        for round in Int64(0)..<2 {
            for _ in 0..<Int64.random(in: 1...9, using: &generator) {
                let time = offset + Int64.random(in: 0...3_600_000, using: &generator)
                try writer.write(
                    Traffic.exchange(
                        next, at: time, host: ["a.test", "b.test"].randomElement(using: &generator) ?? "",
                        status: [200, 404, 500].randomElement(using: &generator) ?? 200))
                next += 1
            }
            try ship(rig.path, at: Traffic.moment(offset + (round + 1) * 7_200_000))
        }
        try writer.close()
        exchanges += next - 1
        for total in try rig.reader().totals(by: .host, in: .always) {
            let key = Key(version: version, host: total.key.host ?? "")
            let figures = [
                total.requests, total.sums.failures, total.sums.up.fields.bytes, total.sums.down.body.bytes,
            ]
            truth[key] = zip(truth[key] ?? [0, 0, 0, 0], figures).map { $0 + $1 }
        }
    }

    private mutating func ship(_ path: String, at start: Timestamp) throws {
        var now = start
        let store = try ShippingStore.open(path)
        defer { try? store.close() }
        let surroundings = ShippingSurroundings(
            now: { now }, random: { 0.5 },
            wait: {
                now = max(now, $0)
                return true
            }, say: { _ in })
        while true {
            // As new processes would: what was sent until then is in the file.
            let shipper = try Shipper(
                from: store, StoreReader.open(path), to: destination, ShippingOptions(), follows: false, surroundings)
            do { return try shipper.run() } catch Shipper.Failure.stopped { continue }
        }
    }

    /// The same figures as the truth, as the fleet has them.
    func sums() throws -> [Key: [Int64]] {
        var sums: [Key: [Int64]] = [:]
        try client.forEachRow(
            """
            SELECT version, authority, sum(requests), sum(failures), sum(up_fields), sum(down_body)
            FROM sums FINAL WHERE whole = 1 GROUP BY version, authority
            """
        ) { row in
            let key = Key(version: row.text(), host: row.text())
            sums[key] = [row.int64(), row.int64(), row.int64(), row.int64()]
            return true
        }
        return sums
    }

    /// The numbers of a query's only row.
    func counts(_ query: SQLText) throws -> [Int64] {
        var counts: [Int64] = []
        try client.forEachRow(query) { row in
            while !row.isAtEnd { counts.append(row.int64()) }
            return true
        }
        return counts
    }
}

/// Passes batches on, and loses responses, refuses, sends twice, and sends copies long after.
final class TroubledDestination: ShippingDestination, @unchecked Sendable {
    // Used by one thread: that of the test.
    private let inner: ClickHouseDestination
    private var dice = SeededGenerator(seed: 2_000)
    private var copies: [ShippingBatch] = []
    private(set) var seen: [String: Int] = [:]

    init(_ inner: ClickHouseDestination) { self.inner = inner }

    var url: String { inner.url }
    var authority: String { inner.authority }
    var format: ShippingFormat { inner.format }

    func cancel() { inner.cancel() }

    func send(_ batch: ShippingBatch) -> (outcome: ShippingSchedule.Outcome, message: String) {
        func note(_ name: String) { seen[name, default: 0] += 1 }
        switch Int.random(in: 0..<20, using: &dice) {
        case 0, 1:
            note("refused")
            return (.later(after: nil), "refused")
        case 2, 3:
            note("lost")
            _ = inner.send(batch)
            return (.later(after: nil), "no response")
        case 4:
            note("doubled")
            _ = inner.send(batch)
        case 5:
            note("late")
            copies.append(batch)
        case 6 where batch.count > 1:
            note("halved")
            return (.tooLarge, "too large")
        default: break
        }
        return inner.send(batch)
    }

    /// Sends the copies again, in no order: some are older than what has replaced them.
    func sendLate() throws {
        for batch in copies.shuffled(using: &dice) {
            while inner.send(batch).outcome != .accepted { Thread.sleep(forTimeInterval: 0.05) }
        }
    }
}
