internal import FleetTables
internal import RowBinary
internal import TrafficModel
internal import TrafficStore

/// Makes batches of exchanges as they come.
protocol ExchangeBatches {
    /// How many exchanges have come.
    var total: Int { get }

    /// Takes an exchange that has ended.
    mutating func add(_ exchange: StoredExchange, origin: FleetOrigin)

    /// The batches; nothing may be added afterwards.
    mutating func end() -> [ShippingBatch]
}

/// Makes batches of one table's rows as they come.
struct RowBatches<Row: FleetRow> {
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

    mutating func add(_ row: consuming Row) {
        table.write(row, to: &writer)
        count += 1
        total += 1
        if count == Self.mostRows { close() }
    }

    /// The batches; nothing may be added afterwards.
    mutating func end() -> [ShippingBatch] {
        close()
        return batches
    }

    private mutating func close() {
        guard count > 0 else { return }
        batches.append(
            ShippingBatch(
                target: table.name, token: "\(token)/\(total - count)", count: Int64(count),
                columns: table.columns.map(\.name), body: ShippingFormat.compressed(writer.bytes)))
        writer.removeAll()
        count = 0
    }
}

/// Makes batches of exchanges as rows.
struct FleetExchangeBatches: ExchangeBatches {
    private var rows: RowBatches<FleetExchange>
    private let weight: Double
    private let share: FleetShare

    init(token: String, weight: Double, share: FleetShare) {
        rows = RowBatches(token: token)
        self.weight = weight
        self.share = share
    }

    var total: Int { rows.total }

    mutating func add(_ exchange: StoredExchange, origin: FleetOrigin) {
        rows.add(FleetExchange(exchange, origin: origin, weight: weight, share: share))
    }

    mutating func end() -> [ShippingBatch] { rows.end() }
}
