import GRDB
internal import TrafficModel

/// Adds up exchanges that still have rows, by path or by network, in one pass; memory grows only with the number of
/// groups.
struct DetailSums {
    let database: Database
    let connection: ReadConnection

    /// Sums of that store.
    init(_ database: Database, _ connection: ReadConnection) {
        self.database = database
        self.connection = connection
    }

    /// The totals of a range by path or by network.
    func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        let rows = try rows(in: range)
        var sums: [TrafficTotal.Key: TrafficSums] = [:]
        while try rows.step() {
            let exchange = OpenExchange(row: rows, first: Self.firstOfExchange)
            let columns = EndColumns(rows, first: Self.firstOfEnd, startedAt: exchange.startedAt)
            let route = try connection.route(exchange.route, database)
            let key =
                grouping == .network
                ? TrafficTotal.Key(
                    network: try connection.network(columns?.connection, database)?.name ?? "",
                    direction: route.direction)
                : TrafficTotal.Key(
                    method: route.method, host: route.authority, path: route.path(rows, column: 0),
                    direction: route.direction)
            sums[key, default: TrafficSums()].add(exchange.figures, end: columns?.end)
        }
        return sums.map { TrafficTotal(key: $0.key, sums: $0.value) }
    }

    static let firstOfExchange: Int32 = 2
    static let route = firstOfExchange + 1
    private static let firstOfEnd = firstOfExchange + OpenExchange.columnCount

    /// The exchanges of a range, and of a direction if there is one: the two columns of the path, ``OpenExchange/columns``, and the columns of the end.
    ///
    /// Without answers, statuses and codings are left out; without ends, the columns of the end.
    func rows(
        of direction: TrafficDirection? = nil, in range: TimeRange, hasAnswers: Bool = true, hasEnds: Bool = true
    ) throws -> PreparedStatement {
        var filter = ExchangeFilter()
        filter.range = range
        filter.direction = direction
        let columns = hasAnswers ? OpenExchange.columns : OpenExchange.columnsWithoutAnswer
        return try ExchangeQuery(filter).statement(
            database,
            "SELECT e.path, e.path_rest, \(columns)"
                + (hasEnds ? ", \(ExchangeColumn.selection(EndColumns.columns))" : "") + " FROM exchange e"
                + (hasAnswers ? " LEFT JOIN answer a ON a.id = e.answer" : ""))
    }

    func end(_ row: PreparedStatement, of exchange: borrowing OpenExchange) -> ExchangeEnd? {
        EndColumns(row, first: Self.firstOfEnd, startedAt: exchange.startedAt)?.end
    }
}
