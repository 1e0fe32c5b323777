import GRDB

extension StoreSchema {
    /// Makes the tables of an empty file as all migrations together leave them, for a sixth of what these cost.
    ///
    /// NewFileTests compares the two. What a migration changes is changed here, too.
    static func create(in database: Database) throws {
        for statements in [
            ways, rows, connections, sums, resourceTable(places), fleetTables, batchColumns, searchIndex, serverLegs,
            devices, lookups, ledgerTriggers,
        ] + views + [lookupsView] {
            try database.execute(sql: statements)
        }
        try newInstallation(database)
        try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        for migration in migrations {
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [migration.name])
        }
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    // What is written once, and exchanges refer to by number. The migration `2` leaves one merge.
    private static let ways = """
        \(metering)
        UPDATE meta SET value = 1 WHERE key = 'merges';
        \(names)
        CREATE TABLE route(
            id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process INTEGER NOT NULL, scheme TEXT NOT NULL,
            port INTEGER NOT NULL, version TEXT NOT NULL, direction INTEGER NOT NULL,
            UNIQUE(api, process, port, scheme, version, direction));
        \(answers)
        CREATE TABLE kind(
            id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process TEXT NOT NULL, status INTEGER NOT NULL,
            type TEXT NOT NULL, direction INTEGER NOT NULL, UNIQUE(api, process, status, type, direction));
        CREATE TABLE failure(
            id INTEGER PRIMARY KEY, domain TEXT NOT NULL, code INTEGER NOT NULL, message TEXT NOT NULL,
            UNIQUE(domain, code, message));
        \(texts)
        CREATE TABLE query(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, text TEXT NOT NULL);
        CREATE INDEX query_hash ON query(hash);
        """

    private static let rows = """
        \(plainExchanges)
        \(exchangeIndex)
        \(besideRows)
        \(carriedExchanges)
        CREATE TABLE span(
            minute INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL, by_rows INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX span_by_rows ON span(minute) WHERE by_rows;
        """

    private static let connections: String = {
        let parts = LedgerColumns.firstRare + LedgerColumns.webSocket + LedgerColumns.unseen
        let columns =
            pairs(LedgerColumns.firstRare) + ["network TEXT", "network_flags INTEGER NOT NULL DEFAULT 0"]
            + pairs(LedgerColumns.webSocket) + pairs(LedgerColumns.webSocketCounts, "INTEGER")
            + pairs(LedgerColumns.unseen) + ["unseen TEXT", "server_name TEXT"] + computed(parts)
        return """
            CREATE TABLE connection(
                \(firstConnectionColumns),
                \(columns.joined(separator: ", ")),
                direction INTEGER NOT NULL DEFAULT 0,
                \(handshakeColumns.joined(separator: ", ")));
            CREATE INDEX connection_served ON connection(remote, local) WHERE direction = 1;
            \(ledgerIndexes)
            """
    }()

    private static let sums = """
        \(tiers.map(plainRollup).joined(separator: "\n"))
        \(timeline)
        CREATE TABLE timeline_served(
            minute INTEGER PRIMARY KEY, requests INTEGER NOT NULL, failures INTEGER NOT NULL, up INTEGER NOT NULL,
            down INTEGER NOT NULL);
        \(ledgerSumTable)
        """
}
