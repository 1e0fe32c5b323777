import GRDB
internal import TrafficModel

/// Adds up exchanges that still have rows, by path or by network, in one pass; memory grows only with the number of
/// groups.
struct DetailSums {
    private let database: Database
    private let connection: ReadConnection

    /// Sums of that store.
    init(_ database: Database, _ connection: ReadConnection) {
        self.database = database
        self.connection = connection
    }

    /// The totals of a range by path or by network.
    func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        var filter = ExchangeFilter()
        filter.range = range
        let rows = try ExchangeQuery(filter).statement(
            database,
            """
            SELECT e.path, e.outcome, e.total, e.ending, \(OpenExchange.columns)
            FROM exchange e JOIN route t ON t.id = e.route
                LEFT JOIN response r ON r.id = e.id LEFT JOIN answer a ON a.id = r.answer
            """)
        var sums: [TrafficTotal.Key: TrafficSums] = [:]
        while try rows.step() {
            let exchange = OpenExchange(row: rows, first: 4)
            let end = end(rows, of: exchange)
            let key =
                grouping == .network
                ? TrafficTotal.Key(network: try connection.network(end?.connection, database)?.name ?? "")
                : try pathKey(rows, of: exchange)
            sums[key, default: TrafficSums()].add(exchange.figures, end: end)
        }
        return sums.map { TrafficTotal(key: $0.key, sums: $0.value) }
    }

    private func pathKey(_ row: PreparedStatement, of exchange: borrowing OpenExchange) throws -> TrafficTotal.Key {
        let route = try connection.route(exchange.route, database)
        return TrafficTotal.Key(method: route.method, host: route.authority, path: route.path(row, column: 0))
    }

    private func end(_ row: PreparedStatement, of exchange: OpenExchange) -> ExchangeEnd? {
        guard let outcome = row.optionalInt(1) else { return nil }
        let details = EndCoding.read(row.bytes(3), startedAt: exchange.startedAt, total: row.optionalInt(2))
        return ExchangeEnd(
            exchange: ExchangeID(exchange.row), endedAt: details.endedAt,
            outcome: EndCoding.outcome(outcome, failure: nil), timings: details.timings,
            connection: details.references.connection.map { ConnectionID($0) },
            reusedConnection: details.reusedConnection, share: details.share)
    }
}
