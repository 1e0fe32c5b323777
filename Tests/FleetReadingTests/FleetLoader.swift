import ClickHouse
import FleetTables
import RowBinary
import TrafficModel

/// Puts all that a store has into a fleet's tables at once, with everything shared.
struct FleetLoader {
    let client: ClickHouseClient
    let origin: FleetOrigin
    /// How many exchanges each one stands for, and the share of its exchanges that an installation sends.
    var weight = 1.0
    var details = 1.0
    /// Whether an installation sends sums and no exchange, and whether its settings say so.
    var sendsSums = false
    var sendsSumsAlone = false
    /// The widths of sums; those of the wider one count everything.
    var widths: [UInt16] = [1, 60]

    /// Makes the tables that are not there.
    func makeTables() throws {
        for table in FleetSchema.tables {
            let creation = SQLText(ownWords: table.creation)
            do {
                _ = try client.send(creation, settings: [("allow_experimental_low_cardinality_type", "1")])
            } catch let error as ClickHouseError where error.exception == Self.unknownSetting {
                try client.run(creation)
            }
        }
    }

    /// The setting was needed in 2018, and is not known today.
    private static let unknownSetting = 115

    func load(_ store: any TrafficBrowsing) throws {
        var exchanges = RowBinaryWriter()
        var sums: [Slot: TrafficSums] = [:]
        try store.forEachHead(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { exchange in
            guard exchange.end != nil else { return true }
            FleetExchange.table.write(
                FleetExchange(exchange, origin: origin, weight: weight, share: .all), to: &exchanges)
            let minute = exchange.request.startedAt.nanoseconds / 60_000_000_000
            for width in widths {
                let slot = Slot(width: width, number: minute / Int64(width), key: exchange.kind)
                sums[slot, default: TrafficSums()].add(exchange.records)
            }
            return true
        }
        if !sendsSums { try insert(FleetExchange.table, exchanges) }
        try insert(sums)

        var connections = RowBinaryWriter()
        try store.forEachConnection(order: .oldestFirst, after: nil) { connection in
            FleetConnection.table.write(
                FleetConnection(connection, origin: origin, weight: 1, share: .all), to: &connections)
            return true
        }
        try insert(FleetConnection.table, connections)

        var losses = RowBinaryWriter()
        for loss in try store.losses() {
            var row = FleetLoss()
            (row.origin, row.reason, row.count) = (origin, loss.reason.rawValue, loss.count)
            FleetLoss.table.write(row, to: &losses)
        }
        try insert(FleetLoss.table, losses)

        var installations = RowBinaryWriter()
        var row = FleetInstallation()
        row.origin = origin
        (row.details, row.sendsSumsAlone) = (details, sendsSumsAlone)
        (row.finest, row.coarsest) = (widths.min() ?? 60, widths.max() ?? 60)
        FleetInstallation.table.write(row, to: &installations)
        try insert(FleetInstallation.table, installations)
    }

    private func insert(_ sums: [Slot: TrafficSums]) throws {
        var rows = RowBinaryWriter()
        let kinds = Dictionary(
            uniqueKeysWithValues: Set(sums.keys.map(\.key)).sorted { "\($0)" < "\($1)" }.enumerated().map { ($1, $0) })
        for (slot, figures) in sums {
            var row = FleetSums()
            (row.origin, row.width, row.slot, row.kind) = (origin, slot.width, slot.number, Int64(kinds[slot.key] ?? 0))
            (row.isWhole, row.key, row.sums) = (slot.width == widths.max(), slot.key, figures)
            FleetSums.table.write(row, to: &rows)
        }
        try insert(FleetSums.table, rows)
    }

    /// Inserts rows of one table.
    func insert<Row: FleetRow>(_ rows: [Row]) throws {
        var writer = RowBinaryWriter()
        for row in rows { Row.table.write(row, to: &writer) }
        try insert(Row.table, writer)
    }

    private func insert<Row>(_ table: FleetTable<Row>, _ rows: borrowing RowBinaryWriter) throws {
        guard !rows.bytes.isEmpty else { return }
        try client.insert(into: table.name, columns: table.columns.map(\.name), body: rows.bytes)
    }

    private struct Slot: Hashable {
        var width: UInt16
        var number: Int64
        var key: TrafficTotal.Key
    }
}

extension StoredExchange {
    /// The names of its kind, by which sums are kept.
    fileprivate var kind: TrafficTotal.Key {
        TrafficTotal.Key(
            method: request.method, host: request.authority, template: request.template, status: response?.status ?? 0,
            contentType: response?.contentType ?? "", process: request.process.name, direction: request.direction)
    }
}
