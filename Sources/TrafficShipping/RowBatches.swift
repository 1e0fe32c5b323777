internal import FleetTables
internal import RowBinary
internal import TrafficModel
internal import TrafficStore

/// Makes batches of exchanges as they come.
// Of objects, because a value in an existential is copied each time that one of its properties is read.
protocol ExchangeBatches: AnyObject {
    /// How many exchanges have come.
    var total: Int { get }

    /// Takes an exchange that has ended, and leaves another one in its place.
    func add(_ exchange: inout StoredExchange, origin: FleetOrigin)

    /// The batches; nothing may be added afterwards.
    func end() -> [ShippingBatch]
}

/// Makes batches of one table's rows as they come.
///
/// A class, because a writer cannot be copied.
final class RowBatches<Row: FleetRow> {
    /// More rows than this are more batches.
    static var mostRows: Int { 5_000 }

    private let table = Row.table
    private let token: String
    private var writer = RowBinaryWriter()
    private var count = 0
    private var batches: [ShippingBatch] = []
    /// How many rows have come.
    private(set) var total = 0

    /// Batches of no rows yet; the token identifies them together.
    init(token: String) { self.token = token }

    /// Takes a row, which stays as it is.
    func add(_ row: inout Row) {
        row.write(to: &writer)
        count += 1
        total += 1
        if count == Self.mostRows { close() }
    }

    /// The batches; nothing may be added afterwards.
    func end() -> [ShippingBatch] {
        close()
        return batches
    }

    private func close() {
        guard count > 0 else { return }
        batches.append(
            ShippingBatch(
                target: table.name, token: "\(token)/\(total - count)", count: Int64(count),
                columns: table.columns.map(\.name), body: writer.withBytes { ShippingFormat.compressed($0) }))
        writer.removeAll()
        count = 0
    }
}

/// Makes batches of exchanges as rows.
final class FleetExchangeBatches: ExchangeBatches {
    private let rows: RowBatches<FleetExchange>
    // Filled again for each exchange, because copying one takes longer than writing it.
    private var row = FleetExchange()

    init(token: String, weight: Double, share: FleetShare) {
        rows = RowBatches(token: token)
        row.weight = weight
        row.share = share
    }

    var total: Int { rows.total }

    func add(_ exchange: inout StoredExchange, origin: FleetOrigin) {
        if origin != row.origin { row.origin = origin }
        row.take(&exchange)
        rows.add(&row)
    }

    func end() -> [ShippingBatch] { rows.end() }
}
