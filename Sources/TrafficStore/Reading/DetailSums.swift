import GRDB
internal import TrafficModel

/// Adds up exchanges that still have rows, by path, by network or by source, in one pass; memory grows only with the number of
/// groups.
struct DetailSums {
    let database: Database
    let connection: ReadConnection

    /// Sums of that store.
    init(_ database: Database, _ connection: ReadConnection) {
        self.database = database
        self.connection = connection
    }

    /// The totals of a range by path or by network, or by those sources.
    func totals(
        by grouping: TrafficGrouping, of sources: ExchangeSources?, in range: TimeRange
    ) throws -> [TrafficTotal] {
        let rows = try rows(in: range)
        var sums: [TrafficTotal.Key: TrafficSums] = [:]
        while try rows.step() {
            let exchange = OpenExchange(row: rows, first: Self.firstOfExchange)
            let columns = EndColumns(rows, first: Self.firstOfEnd, startedAt: exchange.startedAt)
            let route = try connection.route(exchange.route, database)
            var key = TrafficTotal.Key(direction: route.direction)
            if let sources {
                key.source = sources.name(of: exchange.row)
            } else if grouping == .network {
                key.network = try connection.network(columns?.connection, database)?.name ?? ""
            } else {
                (key.method, key.host, key.path) = (route.method, route.authority, route.path(rows, column: 0))
            }
            sums[key, default: TrafficSums()].add(exchange.figures, end: columns?.end)
        }
        return sums.map { TrafficTotal(key: $0.key, sums: $0.value) }
    }

    private static let firstOfExchange: Int32 = 2
    private static let firstOfEnd = firstOfExchange + OpenExchange.columnCount

    /// The exchanges of a range: the two columns of the path, ``OpenExchange/columns``, and the columns of the end.
    private func rows(in range: TimeRange) throws -> PreparedStatement {
        var filter = ExchangeFilter()
        filter.range = range
        return try ExchangeQuery(filter).statement(
            database,
            """
            SELECT e.path, e.path_rest, \(OpenExchange.columns), \(ExchangeColumn.selection(EndColumns.columns))
            FROM exchange e LEFT JOIN answer a ON a.id = e.answer
            """)
    }
}
