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

    /// The conditions of that filter on the table `e` of exchanges.
    init(_ filter: ExchangeFilter) {
        add(range: filter.range)
        if let host = filter.host { add(NamedHost(host)) }
        if let direction = filter.direction { addRoute("t.direction = ?", [.number(direction.number)]) }
        if let method = filter.method { addRoute("a.method = ?", [.text(method)]) }
        if let api = filter.api { addAPI(api) }
        if let status = filter.status {
            add(
                "e.answer IN (SELECT id FROM answer WHERE status BETWEEN ? AND ?)",
                [.number(Int64(status.lowerBound)), .number(Int64(status.upperBound))])
        }
        if let type = filter.contentType {
            add("e.answer IN (SELECT id FROM answer WHERE substr(type, 1, length(?)) = ?)", [.text(type), .text(type)])
        }
        if filter.failedOnly { add("e.failed", []) }
        // Durations are in whole microseconds.
        if let slower = filter.slowerThan { add("e.duration > ?", [.number(TimeSlot.floor(slower, 1_000))]) }
        if let task = filter.task {
            let number = Value.number(task.rawValue)
            add("(e.id = ? OR e.id IN (SELECT id FROM exchange WHERE task = ?))", [number, number])
        }
        if let path = filter.path { add(path: path) }
        if let network = filter.network { add(network: network) }
        if let connection = filter.connection { add(connection) }
    }

    /// Adds the condition that exchanges come after that one, in that order.
    mutating func begin(after exchange: StoredExchange.ID?, order: ExchangeOrder) {
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
            add("e.started >= ?", [.number(since.microsecondsUp)])
            add(
                "e.id >= (SELECT coalesce(min(first), 9223372036854775807) FROM span WHERE minute >= ?)",
                [.number(TimeSlot.minute(of: since))])
        }
        if let until = range.until {
            add("e.started < ?", [.number(until.microsecondsUp)])
            add(
                "e.id <= (SELECT coalesce(max(last), 0) FROM span WHERE minute <= ?)",
                [.number(TimeSlot.minute(of: until))])
        }
    }

    // The first and the last exchange that ended on the connection bound the rows to look at, as for times.
    private mutating func add(_ connection: StoredConnection.ID) {
        let number = Value.number(connection.rawValue)
        add(
            "e.connection = ? AND e.id BETWEEN (SELECT first FROM carried WHERE connection = ?) "
                + "AND (SELECT last FROM carried WHERE connection = ?)", [number, number, number])
    }

    // Most paths are partly in the template of the API: see ``PathColumns``. Rows of other APIs are left out first.
    private mutating func add(path: String) {
        let path = Value.text(path)
        let start = PathColumns.startInSQL
        add(
            """
            CASE WHEN e.path IS NOT NULL THEN substr(e.path, 1, length(?)) = ?
                WHEN e.path_rest IS NOT NULL THEN
                    e.route IN (SELECT t.id FROM route t JOIN api a ON a.id = t.api
                        WHERE substr(\(start), 1, length(?)) = substr(?, 1, length(\(start))))
                    AND substr((SELECT \(start) FROM route t JOIN api a ON a.id = t.api WHERE t.id = e.route)
                        || e.path_rest, 1, length(?)) = ?
                ELSE e.route IN (SELECT t.id FROM route t JOIN api a ON a.id = t.api
                    WHERE substr(a.template, 1, length(?)) = ?) END
            """, Array(repeating: path, count: 8))
    }

    // The same condition as ``ConnectionNetwork/matches(_:)``.
    private mutating func add(network: String) {
        let word = Value.text(network)
        let property = ConnectionNetwork().properties.firstIndex { $0.name == network }
        let isProperty = property.map { " OR (network_flags >> \(2 * $0)) & 3 = 3" } ?? ""
        add(
            """
            e.connection IN (SELECT id FROM connection WHERE network IS NOT NULL
                AND (network = ? OR \(ConnectionRow.networkName) = ?\(isProperty)))
            """, [word, word])
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
