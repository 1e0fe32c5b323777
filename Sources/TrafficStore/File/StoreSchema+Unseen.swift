extension StoreSchema {
    // Connections whose messages were not seen: the reason and the server's name are NULL for all others.
    static let unseenConnections =
        """
        DROP INDEX connection_noted;
        ALTER TABLE connection DROP COLUMN noted;
        ALTER TABLE connection DROP COLUMN unaccounted_up;
        ALTER TABLE connection DROP COLUMN unaccounted_down;
        \(columns(LedgerColumns.unseen))
        ALTER TABLE connection ADD COLUMN unseen TEXT;
        ALTER TABLE connection ADD COLUMN server_name TEXT;
        \(ledger(LedgerColumns.firstRare + LedgerColumns.webSocket + LedgerColumns.unseen))
        """
}
