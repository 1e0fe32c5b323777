extension StoreSchema {
    // WebSocket's frames were part of `upgraded`; in existing rows they stay there. The bytes that a ledger does not
    // explain are computed again, with the new columns.
    static let webSocketParts =
        """
        DROP INDEX connection_noted;
        ALTER TABLE connection DROP COLUMN noted;
        ALTER TABLE connection DROP COLUMN unaccounted_up;
        ALTER TABLE connection DROP COLUMN unaccounted_down;
        \(columns(LedgerColumns.webSocket))
        \(columns(LedgerColumns.webSocketCounts, "INTEGER"))
        \(ledger(LedgerColumns.firstRare + LedgerColumns.webSocket))
        """

    /// Adds columns to connections, two for each name: for what was sent and for what was received.
    static func columns(_ names: [String], _ type: String = "INTEGER NOT NULL DEFAULT 0") -> String {
        pairs(names, type).map { "ALTER TABLE connection ADD COLUMN \($0);" }.joined(separator: "\n")
    }

    /// The columns of connections for those names.
    static func pairs(_ names: [String], _ type: String = "INTEGER NOT NULL DEFAULT 0") -> [String] {
        names.flatMap { ["\($0)_up \(type)", "\($0)_down \(type)"] }
    }

    /// Adds the columns that are computed from those parts, and the index of the connections that are `noted`.
    static func ledger(_ parts: [String]) -> String {
        computed(parts).map { "ALTER TABLE connection ADD COLUMN \($0);\n" }.joined()
            + "CREATE INDEX connection_noted ON connection(id) WHERE noted;"
    }

    /// The columns that are computed from those parts.
    static func computed(_ parts: [String]) -> [String] {
        [
            ("unaccounted_up", LedgerColumns.unaccounted("up", parts)),
            ("unaccounted_down", LedgerColumns.unaccounted("down", parts)),
            ("noted", LedgerColumns.noted(parts)),
        ].map { "\($0) INTEGER GENERATED ALWAYS AS (\($1)) VIRTUAL" }
    }
}
