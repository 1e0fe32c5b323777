import GRDB
internal import TrafficModel

/// A filter as SQL conditions with parameters; no value ever becomes part of the SQL text.
///
/// Header lines are in dictionaries and blobs, which SQL cannot search: ``rest`` has the terms about them.
struct ExchangeQuery {
    enum Value {
        case number(Int64)
        case text(String)
    }

    /// A condition with its parameters.
    struct Condition {
        var sql: String
        var values: [Value] = []

        init(_ sql: String, _ values: [Value] = []) {
            self.sql = sql
            self.values = values
        }
    }

    /// The terms that SQL cannot check.
    private(set) var rest: [FilterTerm] = []
    /// Whether each row costs much, so that it takes a search in ranges.
    private(set) var isSearch = false
    private var conditions: [String] = []
    private var values: [Value] = []
    // What the numbers of the exchanges cannot be below or above.
    private var lowest = [Condition("coalesce((SELECT min(id) FROM exchange), 1)")]
    private var highest = [Condition("coalesce((SELECT max(id) FROM exchange), 0)")]

    /// The conditions of that filter on the table `e` of exchanges.
    init(_ filter: ExchangeFilter) {
        add(range: filter.range)
        for term in filter.terms {
            if term.isSearch { rest.append(term) } else { add(term) }
            isSearch = isSearch || term.isSearch || term.key == .path && term.hasPattern
        }
    }

    /// Adds the condition that exchanges come after that one, in that order.
    mutating func begin(after exchange: StoredExchange.ID?, order: ExchangeOrder) {
        guard let exchange else { return }
        if order == .oldestFirst {
            add(atLeast: Condition("? + 1", [.number(exchange.rawValue)]))
        } else {
            add(atMost: Condition("? - 1", [.number(exchange.rawValue)]))
        }
    }

    /// Adds the condition that exchanges are in that range of numbers.
    mutating func begin(in range: ClosedRange<StoredExchange.ID>) {
        add(atLeast: Condition("?", [.number(range.lowerBound.rawValue)]))
        add(atMost: Condition("?", [.number(range.upperBound.rawValue)]))
    }

    /// Adds the condition that exchanges are in a range of numbers that is bound later.
    ///
    /// - Returns: the place of the parameter with its end; that of its start is the one before.
    mutating func addRange() -> Int32 {
        add(Condition("e.id BETWEEN ? AND ?", [.number(0), .number(0)]))
        return Int32(values.count)
    }

    /// The range of numbers outside of which no exchange matches; nil if none can match.
    func range(_ database: Database) throws -> ClosedRange<Int64>? {
        let ends = [lowest, highest]
        // With one argument they would be aggregates.
        let sql = zip(["max", "min"], ends).map { "\($0)(\($1.map(\.sql).joined(separator: ", ")), \($1[0].sql))" }
        let statement = try PreparedStatement(database, "SELECT " + sql.joined(separator: ", "))
        Self.bind(ends.flatMap { $0.flatMap(\.values) }, to: statement)
        defer { statement.reset() }
        guard try statement.step(), statement.int(0) <= statement.int(1) else { return nil }
        return statement.int(0)...statement.int(1)
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
        let statement = try PreparedStatement(database, text(selection, order: order))
        Self.bind(values, to: statement)
        return statement
    }

    /// The same statement, which the connection keeps compiled: see ``ReadConnection/kept(_:_:)``.
    func keptStatement(
        _ database: Database, _ connection: ReadConnection, _ selection: String, order: ExchangeOrder
    ) throws -> PreparedStatement {
        let statement = try connection.kept(text(selection, order: order), database)
        Self.bind(values, to: statement)
        return statement
    }

    private func text(_ selection: String, order: ExchangeOrder?) -> String {
        var sql = selection
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        if let order { sql += " ORDER BY e.id" + (order == .oldestFirst ? "" : " DESC") }
        return sql
    }

    private static func bind(_ values: [Value], to statement: PreparedStatement) {
        for (index, value) in values.enumerated() {
            switch value {
            case .number(let number): statement.bind(Int32(index + 1), number)
            case .text(let text): statement.bind(Int32(index + 1), text)
            }
        }
    }

    private mutating func add(_ term: FilterTerm) {
        // The spans of minutes bound the rows only where nothing else could match.
        if !term.isNegated, term.values.count == 1, case .moment(let moment) = term.values[0] {
            return add(range: term.key == .since ? TimeRange(since: moment) : TimeRange(until: moment))
        }
        if term.key == .exchange { return add(exchanges: term) }
        let any = term.values.map { Self.condition(term.key, $0) }
        let sql = any.map { "(\($0.sql))" }.joined(separator: " OR ")
        // What is NULL, such as the duration of an exchange that runs, does not match.
        add(Condition(term.isNegated ? "NOT coalesce(\(sql), 0)" : "(\(sql))", any.flatMap(\.values)))
    }

    // One list, because SQLite limits how many conditions may be joined.
    private mutating func add(exchanges term: FilterTerm) {
        let numbers = term.values.compactMap { value -> Int64? in
            if case .number(let number) = value { number } else { nil }
        }
        let list = "e.id IN (\(numbers.map { _ in "?" }.joined(separator: ", ")))"
        add(Condition(term.isNegated ? "NOT \(list)" : list, numbers.map { .number($0) }))
        guard !term.isNegated, let least = numbers.min(), let most = numbers.max() else { return }
        add(atLeast: Condition("?", [.number(least)]))
        add(atMost: Condition("?", [.number(most)]))
    }

    // The spans of the minutes bound the rows to look at; an index on the time would cost 13 bytes for each exchange.
    private mutating func add(range: TimeRange) {
        if let since = range.since {
            add(Condition("e.started >= ?", [.number(since.microsecondsUp)]))
            add(
                atLeast: Condition(
                    "(SELECT coalesce(min(first), 9223372036854775807) FROM span WHERE minute >= ?)",
                    [.number(TimeSlot.minute(of: since))]))
        }
        if let until = range.until {
            add(Condition("e.started < ?", [.number(until.microsecondsUp)]))
            add(
                atMost: Condition(
                    "(SELECT coalesce(max(last), 0) FROM span WHERE minute <= ?)",
                    [.number(TimeSlot.minute(of: until))]))
        }
    }

    private mutating func add(atLeast bound: Condition) {
        lowest.append(bound)
        add(Condition("e.id >= " + bound.sql, bound.values))
    }

    private mutating func add(atMost bound: Condition) {
        highest.append(bound)
        add(Condition("e.id <= " + bound.sql, bound.values))
    }

    private mutating func add(_ condition: Condition) {
        conditions.append(condition.sql)
        values += condition.values
    }
}

extension FilterTerm {
    /// Whether the term is about header lines, which SQL cannot search.
    fileprivate var isSearch: Bool { [.text, .has, .header].contains(key) }

    fileprivate var hasPattern: Bool {
        values.contains { if case .text(let pattern) = $0 { pattern.plain == nil } else { false } }
    }
}
