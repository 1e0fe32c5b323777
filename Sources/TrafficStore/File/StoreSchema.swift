import GRDB

/// The tables of a store, and the migrations of older files.
///
/// Migrations are only appended, so every later version can open a file of any released version. A new file does not
/// go through them: see ``create(in:)``.
enum StoreSchema {
    /// The tables with rows of exchanges, whose key is the exchange's number.
    static let exchangeTables = ["exchange", "body", "leg"]

    /// The tiers of the roll-ups, the finest first.
    static let tiers = ["rollup_minute", "rollup_hour", "rollup_day", "rollup_all"]

    /// The tables that hold sums.
    static let sumTables = tiers + ["timeline", "timeline_served"]

    /// `WWGT` in the header of the file, which distinguishes a store from databases of other applications.
    static let applicationID: Int32 = 0x5757_4754

    /// The migrations in order, each with its name and its work.
    ///
    /// A file's version is the number of migrations that it has had.
    static let migrations: [(name: String, work: @Sendable (Database) throws -> Void)] = [
        ("1", run([metering, dictionaries, details] + tiers.map(rollup))),
        ("2", run([authority])),
        ("3", run([failureDomains])),
        ("4", run([connectionParts])),
        ("connect-templates", run([connectTemplates])),
        ("websocket-parts", run([webSocketParts])),
        ("unseen-connections", run([unseenConnections])),
        ("plain-columns", unpack),
        ("directions", addDirections),
        ("weights", weighCalls),
        ("fleet", addFleet),
        ("ledger-sums", addLedgerSums),
        ("search-index", run([searchIndex])),
        ("server-legs", run([serverLegs])),
        ("handshakes", run([handshakes])),
        ("connections-without-exchange", addConnectionsWithoutExchange),
        ("devices", run([devices])),
        ("unseen-after-exchanges", renewLedgerTriggers),
        // The index did not know of the content of compressed bodies.
        ("compressed-bodies", run(["DELETE FROM search_chunk"])),
        ("lookups", run([lookups, lookupsView])),
        ("batch-columns", run([batchColumns])),
        ("places", run(places.map { "ALTER TABLE resource ADD COLUMN \($0)" })),
    ]

    private static func run(_ statements: [String]) -> @Sendable (Database) throws -> Void {
        { database in
            for statement in statements { try database.execute(sql: statement) }
        }
    }

    /// The version of the files that this code writes; it is also in the file's header.
    static let version = Int32(migrations.count)

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (index, migration) in migrations.enumerated() {
            migrator.registerMigration(migration.name, foreignKeyChecks: .immediate) { database in
                try migration.work(database)
                try database.execute(sql: "PRAGMA user_version = \(index + 1)")
            }
        }
        return migrator
    }

    /// Migrates a file of an older version.
    ///
    /// - Parameter queue: a connection that may write.
    /// - Throws: the error of SQLite; the file is then as it was.
    static func migrate(_ queue: DatabaseQueue) throws {
        do {
            try migrator.migrate(queue)
            // Returns the pages of tables that a migration has copied.
            try? queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA incremental_vacuum")
                database.truncateLog()
            }
        } catch {
            // Another process may have migrated the file meanwhile, which the migrator finds out too late.
            guard try queue.read(migrator.hasCompletedMigrations) else { throw error }
        }
    }

    static let metering = """
        CREATE TABLE meta(key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO meta VALUES ('next_exchange', 1), ('next_connection', 1), ('minute_floor', 0),
            ('folded', 0), ('folded_hours', 0), ('merges', 0), ('unkept', 0);
        CREATE TABLE run(
            id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, pid_started INTEGER NOT NULL, opened INTEGER NOT NULL,
            seen INTEGER NOT NULL, closed INTEGER);
        CREATE TABLE loss(
            run INTEGER NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(run, reason)
        ) WITHOUT ROWID;
        """

    // Values that occur often are written once; exchanges refer to them by number. An API whose template was merged
    // with others into one with a parameter points to the API of that template; `shown_api` has the template to report.
    static let names = """
        CREATE TABLE process(id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE(pid, name));
        CREATE TABLE api(
            id INTEGER PRIMARY KEY, method TEXT NOT NULL, host TEXT NOT NULL, template TEXT NOT NULL,
            given INTEGER NOT NULL, merged_into INTEGER, UNIQUE(host, template, method));
        CREATE VIEW shown_api(id, method, host, template) AS
            SELECT a.id, a.method, a.host, coalesce(m.template, a.template)
            FROM api a LEFT JOIN api m ON m.id = a.merged_into;
        """

    static let answers = """
        CREATE TABLE answer(
            id INTEGER PRIMARY KEY, status INTEGER NOT NULL, type TEXT NOT NULL, coding TEXT NOT NULL,
            reason TEXT NOT NULL, version TEXT NOT NULL, UNIQUE(status, type, coding, reason, version));
        """

    static let texts = """
        CREATE TABLE address(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
        CREATE TABLE line(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX line_hash ON line(hash);
        CREATE TABLE shape(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX shape_hash ON shape(hash);
        """

    private static let dictionaries = """
        \(names)
        CREATE TABLE route(
            id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process INTEGER NOT NULL, scheme TEXT NOT NULL,
            port INTEGER NOT NULL, version TEXT NOT NULL, UNIQUE(api, process, port, scheme, version));
        \(answers)
        CREATE TABLE kind(
            id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process TEXT NOT NULL, status INTEGER NOT NULL,
            type TEXT NOT NULL, UNIQUE(api, process, status, type));
        CREATE TABLE failure(id INTEGER PRIMARY KEY, code INTEGER NOT NULL, message TEXT NOT NULL,
            UNIQUE(code, message));
        \(texts)
        CREATE TABLE query(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX query_hash ON query(hash);
        """

    // Until `plain-columns`, most of an exchange was packed: see ``ReleasedRows``. `carried` has the first and the last
    // exchange that ended on a connection, even if there is no event of the connection itself. `tls` is NULL if there is
    // no TLS, and `plain_up` is NULL if the plaintext was not counted.
    private static let details = """
        CREATE TABLE exchange(
            id INTEGER PRIMARY KEY, route INTEGER NOT NULL, started INTEGER NOT NULL, path, query,
            request BLOB NOT NULL, outcome INTEGER, total INTEGER, ending BLOB);
        CREATE TABLE hop(id INTEGER PRIMARY KEY, task INTEGER NOT NULL);
        CREATE INDEX hop_task ON hop(task);
        CREATE TABLE response(
            id INTEGER PRIMARY KEY, answer INTEGER NOT NULL, first_byte INTEGER NOT NULL, details BLOB NOT NULL);
        \(besideRows)
        CREATE TABLE connection(
            \(firstConnectionColumns));
        \(carriedExchanges)
        CREATE TABLE span(minute INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
        \(timeline)
        """

    // No migration has changed these, so new files are made with them, too.

    static let besideRows = """
        CREATE TABLE running(id INTEGER PRIMARY KEY, run INTEGER NOT NULL);
        CREATE TABLE body(
            id INTEGER NOT NULL, response INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(id, response)
        );
        """

    static let carriedExchanges = """
        CREATE TABLE carried(connection INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
        """

    static let timeline = """
        CREATE TABLE timeline(
            minute INTEGER PRIMARY KEY, requests INTEGER NOT NULL, failures INTEGER NOT NULL, up INTEGER NOT NULL,
            down INTEGER NOT NULL);
        """

    static let firstConnectionColumns = """
        id INTEGER PRIMARY KEY, run INTEGER NOT NULL, process INTEGER NOT NULL, local TEXT NOT NULL,
        remote TEXT NOT NULL, protocol TEXT NOT NULL, tls TEXT, cipher TEXT, opened INTEGER NOT NULL,
        closed INTEGER, sent INTEGER, received INTEGER, retransmitted INTEGER, segments_sent INTEGER,
        segments_received INTEGER, round_trip INTEGER, exchanges INTEGER NOT NULL, messages_up INTEGER NOT NULL,
        messages_down INTEGER NOT NULL, clear_up INTEGER NOT NULL, clear_down INTEGER NOT NULL,
        control_up INTEGER NOT NULL, control_down INTEGER NOT NULL, plain_up INTEGER, plain_down INTEGER
        """

    // A code has a meaning only within its domain. Before, the sign of the code implied the domain: URLSession's codes
    // are negative, libcurl's are positive, and 0 was written if an archive named an error without a code.
    private static let failureDomains = """
        CREATE TABLE failure_with_domain(id INTEGER PRIMARY KEY, domain TEXT NOT NULL, code INTEGER NOT NULL,
            message TEXT NOT NULL, UNIQUE(domain, code, message));
        INSERT INTO failure_with_domain
            SELECT id, CASE WHEN code < 0 THEN 'NSURLErrorDomain' WHEN code > 0 THEN 'libcurl' ELSE 'archive' END, code,
                message
            FROM failure;
        DROP TABLE failure;
        ALTER TABLE failure_with_domain RENAME TO failure;
        """
    // The parts that few connections have, the network, and the bytes that a ledger does not explain: see
    // ``ConnectionRecord/ledger``. The index has only connections with something to report, so that a verdict on a
    // million others reads none of them. Until `ledger-sums`, the figures of deleted connections were in `ledger_gone`.
    private static let connectionParts =
        columns(LedgerColumns.firstRare) + """

            ALTER TABLE connection ADD COLUMN network TEXT;
            ALTER TABLE connection ADD COLUMN network_flags INTEGER NOT NULL DEFAULT 0;
            \(ledger(LedgerColumns.firstRare))
            CREATE TABLE ledger_gone(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
            """

    // Until `plain-columns`, most sums were packed.
    private static func rollup(_ name: String) -> String {
        """
        CREATE TABLE \(name)(
            slot INTEGER NOT NULL, kind INTEGER NOT NULL, requests INTEGER NOT NULL, first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL, sums BLOB NOT NULL, PRIMARY KEY(slot, kind)
        ) WITHOUT ROWID;
        """
    }
}
