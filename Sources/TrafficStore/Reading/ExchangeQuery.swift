import GRDB
internal import TrafficModel

/// A filter as SQL conditions with parameters; no value ever becomes part of the SQL text.
struct ExchangeQuery {
    private enum Value {
        case number(Int64)
        case text(String)
    }

    private var conditions: [String] = []
    private var values: [Value] = []

    /// The conditions of that filter on the tables of ``ExchangeRow/tables``.
    ///
    /// Conditions on the path, the connection and the network are not among them, because these are packed in a row:
    /// see ``ExchangeRow/path(_:_:)`` and ``ExchangeRow/isOver(_:ending:)``.
    init(_ filter: ExchangeFilter) {
        add(range: filter.range)
        if let host = filter.host { add(NamedHost(host)) }
        if let method = filter.method { addRoute("a.method = ?", [.text(method)]) }
        if let api = filter.api { addAPI(api) }
        if let status = filter.status {
            add(
                "r.answer IN (SELECT id FROM answer WHERE status BETWEEN ? AND ?)",
                [.number(Int64(status.lowerBound)), .number(Int64(status.upperBound))])
        }
        if let type = filter.contentType {
            add("r.answer IN (SELECT id FROM answer WHERE substr(type, 1, length(?)) = ?)", [.text(type), .text(type)])
        }
        if filter.failedOnly {
            // The same condition as ``Exchange/hasFailed``.
            add(
                "(e.outcome IN (\(EndCoding.numbersOfFailures)) OR r.answer IN "
                    + "(SELECT id FROM answer WHERE status >= ?))", [.number(Int64(FailedExchange.lowestStatus))])
        }
        if let slower = filter.slowerThan { add("e.total > ?", [.number(slower)]) }
        if let task = filter.task {
            let number = Value.number(task.rawValue)
            add("(e.id = ? OR e.id IN (SELECT id FROM hop WHERE task = ?))", [number, number])
        }
        if let connection = filter.connection { add(connection) }
    }

    /// Adds the condition that exchanges come after that one, in that order.
    mutating func begin(after exchange: ExchangeID?, order: ExchangeOrder) {
        guard let exchange else { return }
        add(order == .oldestFirst ? "e.id > ?" : "e.id < ?", [.number(exchange.rawValue)])
    }

    /// Prepares a selection with these conditions and binds their values.
    ///
    /// - Parameters:
    ///   - database: the store.
    ///   - selection: the SQL text before the conditions; always a constant of this code.
    ///   - order: the order of the rows; nil for any.
    /// - Returns: the statement, before its first row.
    /// - Throws: the error of SQLite.
    func statement(_ database: Database, _ selection: String, order: ExchangeOrder? = nil) throws -> PreparedStatement {
        var sql = selection
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        if let order { sql += " ORDER BY e.id" + (order == .oldestFirst ? "" : " DESC") }
        let statement = try PreparedStatement(database, sql)
        for (index, value) in values.enumerated() {
            switch value {
            case .number(let number): statement.bind(Int32(index + 1), number)
            case .text(let text): statement.bind(Int32(index + 1), text)
            }
        }
        return statement
    }

    // The spans of the minutes bound the rows to look at; an index on the time would cost 13 bytes for each exchange.
    private mutating func add(range: TimeRange) {
        if let since = range.since {
            add("e.started >= ?", [.number(since.nanoseconds)])
            add(
                "e.id >= (SELECT coalesce(min(first), 9223372036854775807) FROM span WHERE minute >= ?)",
                [.number(TimeSlot.minute(of: since))])
        }
        if let until = range.until {
            add("e.started < ?", [.number(until.nanoseconds)])
            add(
                "e.id <= (SELECT coalesce(max(last), 0) FROM span WHERE minute <= ?)",
                [.number(TimeSlot.minute(of: until))])
        }
    }

    // The connection of an exchange is inside a blob. Only exchanges between the first and the last that ended on the
    // connection are candidates, and the blobs of these are decoded.
    private mutating func add(_ connection: ConnectionID) {
        let number = Value.number(connection.rawValue)
        add(
            "e.id BETWEEN (SELECT first FROM carried WHERE connection = ?) "
                + "AND (SELECT last FROM carried WHERE connection = ?)", [number, number])
    }

    // The API's host has the port if it is not the default port of the scheme.
    private mutating func add(_ named: NamedHost) {
        let host = Value.text(named.host)
        if let port = named.port {
            addRoute(
                "t.port = ? AND a.host IN (?, ? || ':' || t.port)", [.number(Int64(port)), host, host])
        } else {
            addRoute("(a.host = ? OR a.host = ? || ':' || t.port)", [host, host])
        }
    }

    // `template`, `METHOD template` or `METHOD host template`.
    private mutating func addAPI(_ api: String) {
        let words = api.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        switch words.count {
        case 3:
            // In sums of an older version, a host without a port includes all of its ports.
            let host = Value.text(words[1].hasSuffix(":*") ? String(words[1].dropLast(2)) : words[1])
            let isOne = "NOT EXISTS (SELECT 1 FROM route o JOIN api p ON p.id = o.api WHERE p.host = ?)"
            addRoute(
                "a.method = ? AND a.template = ? AND (a.host = ? OR a.host = ? || ':' || t.port AND \(isOne))",
                [.text(words[0]), .text(words[2]), host, host, words[1].hasSuffix(":*") ? .text("") : host])
        case 2: addRoute("a.method = ? AND a.template = ?", [.text(words[0]), .text(words[1])])
        default: addRoute("a.template = ?", [.text(api)])
        }
    }

    private mutating func addRoute(_ condition: String, _ values: [Value]) {
        add("e.route IN (SELECT t.id FROM route t JOIN shown_api a ON a.id = t.api WHERE \(condition))", values)
    }

    private mutating func add(_ condition: String, _ values: [Value]) {
        conditions.append(condition)
        self.values += values
    }
}
