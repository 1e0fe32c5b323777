import ContentCoding
import FleetTables
import HTTPWire
import RowBinary
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficShipping

/// A fleet's database in memory: of rows with the same key it keeps the one with the highest revision.
final class FakeFleet: ShippingDestination, @unchecked Sendable {
    // Used by one thread: that of the test.
    let url = "clickhouse://fleet.test:8123/fleet"
    let authority = "fleet.test:8123"
    var format = ShippingFormat.rows
    /// What it does with a batch before it takes it, in order; then it takes all.
    var script: [Reply] = []
    /// What it does with each batch that the script does not mention.
    var usual = Reply.accept
    /// The largest batch that it takes, in rows.
    var mostRows = Int64.max
    private(set) var batches: [ShippingBatch] = []
    private(set) var exchanges: [Int64: FleetExchange] = [:]
    private(set) var connections: [Int64: FleetConnection] = [:]
    private(set) var sums: [SumsKey: FleetSums] = [:]
    private(set) var templates: [String: FleetTemplate] = [:]
    private(set) var losses: [String: FleetLoss] = [:]
    private(set) var installations: [Int64: FleetInstallation] = [:]

    /// All that have come, in order.
    private(set) var findings: [FleetFinding] = []
    private(set) var audits: [FleetAudit] = []
    /// The contents of batches for a collector that it has taken, by their targets.
    private(set) var requests: [String: [[UInt8]]] = [:]

    enum Reply { case accept, loseAnswer, fail(ShippingSchedule.Outcome) }

    struct SumsKey: Hashable {
        var installation: InstallationID
        var width: UInt16
        var slot: Int64
        var kind: Int64
    }

    func send(_ batch: ShippingBatch) -> (outcome: ShippingSchedule.Outcome, message: String) {
        batches.append(batch)
        if batch.count > mostRows { return (.tooLarge, "too large") }
        switch script.isEmpty ? usual : script.removeFirst() {
        case .accept:
            take(batch)
            return (.accepted, "")
        case .loseAnswer:
            take(batch)
            return (.later(after: nil), "no answer")
        case .fail(let outcome): return (outcome, "it failed")
        }
    }

    func cancel() {}

    private func take(_ batch: ShippingBatch) {
        guard let content = ZlibContent(of: batch.body, coding: .gzip, limit: 1 << 30) else {
            Issue.record("the batch cannot be read")
            return
        }
        func rows<Row: FleetRow>(_: Row.Type) -> [Row] {
            var reader = RowBinaryReader(content.bytes)
            var rows: [Row] = []
            while !reader.isAtEnd, !reader.isBroken { rows.append(Row.table.read(&reader)) }
            #expect(!reader.isBroken)
            #expect(Int64(rows.count) == batch.count)
            return rows
        }
        func keep<Row: FleetRow, Key>(_ row: Row, _ key: Key, _ rows: inout [Key: Row]) {
            if rows[key].map({ $0.origin.revision <= row.origin.revision }) ?? true { rows[key] = row }
        }
        switch batch.target {
        case "exchange": for row in rows(FleetExchange.self) { keep(row, row.exchange.id.rawValue, &exchanges) }
        case "connection": for row in rows(FleetConnection.self) { keep(row, row.number, &connections) }
        case "sums":
            for row in rows(FleetSums.self) {
                let key = SumsKey(
                    installation: row.origin.installation, width: row.width, slot: row.slot, kind: row.kind)
                keep(row, key, &sums)
            }
        case "template": for row in rows(FleetTemplate.self) { keep(row, row.template, &templates) }
        case "loss": for row in rows(FleetLoss.self) { keep(row, row.reason, &losses) }
        case "finding": findings += rows(FleetFinding.self)
        case "audit": audits += rows(FleetAudit.self)
        case ShippingFormat.spans, ShippingFormat.metrics: requests[batch.target, default: []].append(content.bytes)
        default: for row in rows(FleetInstallation.self) { keep(row, row.firstExchange, &installations) }
        }
    }

    /// The exchanges in the order of their numbers.
    var ordered: [StoredExchange] { exchanges.values.map(\.exchange).sorted { $0.id < $1.id } }

    /// The totals of the sums that count, or of the finer ones.
    func totals(isWhole: Bool) -> [TrafficTotal.Key: TrafficSums] {
        var totals: [TrafficTotal.Key: TrafficSums] = [:]
        for row in sums.values where row.isWhole == isWhole {
            let key = TrafficTotal.Key(
                method: row.key.method, host: row.key.host, template: row.key.template, direction: row.key.direction)
            totals[key, default: TrafficSums()].merge(row.sums)
        }
        return totals
    }
}

extension StoreReader {
    var totalsByAPI: [TrafficTotal.Key: TrafficSums] {
        get throws { Dictionary(uniqueKeysWithValues: try totals(by: .api, in: .always).map { ($0.key, $0.sums) }) }
    }

    var ended: [StoredExchange] {
        get throws {
            var all: [StoredExchange] = []
            try forEachHead(matching: ExchangeFilter(), order: .oldestFirst, after: nil) {
                if $0.end != nil { all.append($0) }
                return true
            }
            return all
        }
    }
}

extension FleetShare {
    /// What of an exchange is shared.
    func reduced(_ exchange: StoredExchange) -> StoredExchange {
        var reduced = exchange
        reduce(&reduced)
        return reduced
    }
}
