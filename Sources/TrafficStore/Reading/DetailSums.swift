import GRDB
internal import TrafficModel

/// Adds up exchanges whose rows are still there, by path, in one pass and in memory that grows with the paths only.
struct DetailSums {
    private let database: Database
    private let connection: ReadConnection

    /// Sums over that store.
    init(_ database: Database, _ connection: ReadConnection) {
        self.database = database
        self.connection = connection
    }

    /// The totals of a range by path.
    func totals(in range: TimeRange) throws -> [TrafficTotal] {
        var filter = ExchangeFilter()
        filter.range = range
        let rows = try ExchangeQuery(filter).statement(
            database,
            """
            SELECT e.path, e.outcome, e.total, e.ending, \(OpenExchange.columns)
            FROM exchange e JOIN route t ON t.id = e.route
                LEFT JOIN response r ON r.id = e.id LEFT JOIN answer a ON a.id = r.answer
            """)
        var sums: [TrafficTotal.Key: Rollup] = [:]
        while try rows.step() {
            let exchange = OpenExchange(row: rows, first: 4)
            let route = try connection.route(exchange.route, database)
            let key = TrafficTotal.Key(method: route.method, host: route.host, path: route.path(rows, column: 0))
            sums[key, default: Rollup()].add(exchange, end: end(rows, of: exchange))
        }
        return sums.map { $0.value.total($0.key) }
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
