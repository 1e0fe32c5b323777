import GRDB

extension StoreSchema {
    /// Makes the tables of an empty file as all migrations together leave them, for a tenth of what these cost.
    ///
    /// NewFileTests compares the two. What a migration changes is changed here, too.
    static func create(in database: Database) throws {
        for statements in [ways, rows, connections, sums, fleetTables, searchIndex, serverLegs, ledgerTriggers] + views
        {
            try database.execute(sql: statements)
        }
        try newInstallation(database)
        try database.execute(sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        for migration in migrations {
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [migration.name])
        }
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    // What is written once, and exchanges refer to by number.
    private static let ways = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO meta VALUES ('next_exchange', 1), ('next_connection', 1), ('minute_floor', 0),
            ('folded', 0), ('folded_hours', 0), ('merges', 1), ('unkept', 0);
        CREATE TABLE run(
            id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, pid_started INTEGER NOT NULL, opened INTEGER NOT NULL,
            seen INTEGER NOT NULL, closed INTEGER);
        CREATE TABLE loss(
            run INTEGER NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(run, reason)
        ) WITHOUT ROWID;
        CREATE TABLE process(id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE(pid, name));
        CREATE TABLE api(
            id INTEGER PRIMARY KEY, method TEXT NOT NULL, host TEXT NOT NULL, template TEXT NOT NULL,
            given INTEGER NOT NULL, merged_into INTEGER, UNIQUE(host, template, method));
        CREATE VIEW shown_api(id, method, host, template) AS
            SELECT a.id, a.method, a.host, coalesce(m.template, a.template)
            FROM api a LEFT JOIN api m ON m.id = a.merged_into;
        CREATE TABLE route(
            id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process INTEGER NOT NULL, scheme TEXT NOT NULL,
            port INTEGER NOT NULL, version TEXT NOT NULL, direction INTEGER NOT NULL,
            UNIQUE(api, process, port, scheme, version, direction));
        CREATE TABLE answer(
            id INTEGER PRIMARY KEY, status INTEGER NOT NULL, type TEXT NOT NULL, coding TEXT NOT NULL,
            reason TEXT NOT NULL, version TEXT NOT NULL, UNIQUE(status, type, coding, reason, version));
        CREATE TABLE kind(
            id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process TEXT NOT NULL, status INTEGER NOT NULL,
            type TEXT NOT NULL, direction INTEGER NOT NULL, UNIQUE(api, process, status, type, direction));
        CREATE TABLE failure(
            id INTEGER PRIMARY KEY, domain TEXT NOT NULL, code INTEGER NOT NULL, message TEXT NOT NULL,
            UNIQUE(domain, code, message));
        CREATE TABLE address(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
        CREATE TABLE line(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX line_hash ON line(hash);
        CREATE TABLE shape(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX shape_hash ON shape(hash);
        CREATE TABLE query(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, text TEXT NOT NULL);
        CREATE INDEX query_hash ON query(hash);
        """

    private static let rows = """
        \(plainExchanges)
        \(exchangeIndex)
        CREATE TABLE running(id INTEGER PRIMARY KEY, run INTEGER NOT NULL);
        CREATE TABLE body(
            id INTEGER NOT NULL, response INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(id, response)
        );
        CREATE TABLE carried(connection INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
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
                id INTEGER PRIMARY KEY, run INTEGER NOT NULL, process INTEGER NOT NULL, local TEXT NOT NULL,
                remote TEXT NOT NULL, protocol TEXT NOT NULL, tls TEXT, cipher TEXT, opened INTEGER NOT NULL,
                closed INTEGER, sent INTEGER, received INTEGER, retransmitted INTEGER, segments_sent INTEGER,
                segments_received INTEGER, round_trip INTEGER, exchanges INTEGER NOT NULL, messages_up INTEGER NOT NULL,
                messages_down INTEGER NOT NULL, clear_up INTEGER NOT NULL, clear_down INTEGER NOT NULL,
                control_up INTEGER NOT NULL, control_down INTEGER NOT NULL, plain_up INTEGER, plain_down INTEGER,
                \(columns.joined(separator: ", ")),
                direction INTEGER NOT NULL DEFAULT 0,
                \(handshakeColumns.joined(separator: ", ")));
            CREATE INDEX connection_served ON connection(remote, local) WHERE direction = 1;
            \(ledgerIndexes)
            """
    }()

    private static let sums = """
        \(tiers.map(plainRollup).joined(separator: "\n"))
        CREATE TABLE timeline(
            minute INTEGER PRIMARY KEY, requests INTEGER NOT NULL, failures INTEGER NOT NULL, up INTEGER NOT NULL,
            down INTEGER NOT NULL);
        CREATE TABLE timeline_served(
            minute INTEGER PRIMARY KEY, requests INTEGER NOT NULL, failures INTEGER NOT NULL, up INTEGER NOT NULL,
            down INTEGER NOT NULL);
        \(ledgerSumTable)
        """
}
