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
        names.flatMap { ["\($0)_up", "\($0)_down"] }.map { "ALTER TABLE connection ADD COLUMN \($0) \(type);" }
            .joined(separator: "\n")
    }

    /// Adds the columns that are computed from those parts, and the index of the connections that are `noted`.
    static func ledger(_ parts: [String]) -> String {
        """
        ALTER TABLE connection ADD COLUMN unaccounted_up INTEGER GENERATED ALWAYS AS (\(LedgerColumns.unaccounted("up", parts))) VIRTUAL;
        ALTER TABLE connection ADD COLUMN unaccounted_down INTEGER GENERATED ALWAYS AS (\(LedgerColumns.unaccounted("down", parts))) VIRTUAL;
        ALTER TABLE connection ADD COLUMN noted INTEGER GENERATED ALWAYS AS (\(LedgerColumns.noted(parts))) VIRTUAL;
        CREATE INDEX connection_noted ON connection(id) WHERE noted;
        """
    }
}
