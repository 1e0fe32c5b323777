import GRDB

/// Finds the kinds of exchanges for a reader: see ``KindTable``.
struct KindLookup {
    private struct Key: Hashable {
        var route: Int64
        var answer: Int64
    }

    private let find: PreparedStatement
    private var known: [Key: Int64] = [:]

    /// The kinds of that store.
    init(_ database: Database) throws {
        find = try PreparedStatement(
            database,
            """
            SELECT k.id FROM route t JOIN process p ON p.id = t.process LEFT JOIN answer a ON a.id = ?2
                JOIN kind k ON k.api = t.api AND k.process = p.name AND k.status = coalesce(a.status, 0)
                    AND k.direction = t.direction AND k.type IN (coalesce(a.type, ''), '\(KindTable.otherType)')
            WHERE t.id = ?1 ORDER BY k.type = coalesce(a.type, '') DESC LIMIT 1
            """)
    }

    /// The kind of an exchange that has ended; nil if there is none, as in a damaged store.
    mutating func kind(of exchange: OpenExchange) throws -> Int64? {
        let key = Key(route: exchange.route, answer: exchange.answer)
        if let kind = known[key] { return kind }
        find.bind(1, exchange.route)
        find.bind(2, exchange.answer)
        guard try find.step() else { return nil }
        defer { find.reset() }
        known[key] = find.int(0)
        return find.int(0)
    }
}
