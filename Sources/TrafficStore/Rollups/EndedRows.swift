import GRDB
internal import TrafficModel

/// Reads the exchanges of a minute that have ended, as far as sums count them.
struct EndedRows {
    private let rows: PreparedStatement

    /// The rows of that store.
    init(_ database: Database) throws {
        rows = try PreparedStatement(
            database,
            """
            SELECT \(OpenExchange.columns), \(ExchangeColumn.selection(EndColumns.columns))
            FROM exchange e LEFT JOIN answer a ON a.id = e.answer
            WHERE e.id BETWEEN ?1 AND ?2 AND e.started >= ?3 AND e.started < ?4 AND e.outcome IS NOT NULL
            """)
    }

    /// Visits the exchanges of a minute, whose rows are in its span.
    func forEach(in span: MinuteSpan, _ body: (OpenExchange, ExchangeEnd) throws -> Void) throws {
        rows.bind(1, span.first)
        rows.bind(2, span.last)
        rows.bind(3, span.minute * MinuteSpan.microseconds)
        rows.bind(4, (span.minute + 1) * MinuteSpan.microseconds)
        defer { rows.reset() }
        while try rows.step() {
            let exchange = OpenExchange(row: rows, first: 0)
            let end = EndColumns(rows, first: OpenExchange.columnCount, startedAt: exchange.startedAt)
            if let end = end?.end { try body(exchange, end) }
        }
    }
}

/// A minute, with the first and the last row of the exchanges that began in it.
struct MinuteSpan {
    /// Microseconds in a minute.
    static let microseconds = TimeSlot.minute / 1_000

    var minute: Int64
    var first: Int64
    var last: Int64

    /// The span of a row with `minute`, `first` and `last`.
    init(row: PreparedStatement) {
        minute = Plausible.slot(row.int(0))
        first = Plausible.number(row.int(1))
        last = Plausible.number(row.int(2))
    }
}
