import GRDB

/// The tables of a store, and how older files become newer ones.
///
/// Migrations are only ever appended: a file of any version that was released can be opened by every later one.
enum StoreSchema {
    /// The tables in which an exchange has rows, by its number.
    static let exchangeTables = ["exchange", "response", "hop", "body"]

    /// The tiers of the roll-ups, the finest first.
    static let tiers = ["rollup_minute", "rollup_hour", "rollup_day", "rollup_all"]

    /// The tables that hold sums.
    static let sumTables = tiers + ["timeline"]

    /// `WWGT` in the header of the file, by which it is told from databases of other applications.
    static let applicationID: Int32 = 0x5757_4754

    /// The version that this code writes; also in the file's header.
    static let version: Int32 = 6

    /// All migrations so far.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: metering)
            try database.execute(sql: dictionaries)
            try database.execute(sql: details)
            for tier in tiers { try database.execute(sql: rollup(tier)) }
            try database.execute(sql: "PRAGMA user_version = 1")
        }
        migrator.registerMigration("2", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: authority)
            try database.execute(sql: "PRAGMA user_version = 2")
        }
        migrator.registerMigration("3", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: failureDomains)
            try database.execute(sql: "PRAGMA user_version = 3")
        }
        migrator.registerMigration("4", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: connectionParts)
            try database.execute(sql: "PRAGMA user_version = 4")
        }
        migrator.registerMigration("connect-templates", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: connectTemplates)
            try database.execute(sql: "PRAGMA user_version = 5")
        }
        migrator.registerMigration("websocket-parts", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: webSocketParts)
            try database.execute(sql: "PRAGMA user_version = 6")
        }
        return migrator
    }

    /// Makes a file of an older version one of this.
    ///
    /// - Parameter queue: a connection that may write.
    /// - Throws: what SQLite failed with; the file is then as it was.
    static func migrate(_ queue: DatabaseQueue) throws {
        do {
            try migrator.migrate(queue)
        } catch {
            // Another process may have done the same meanwhile, which the migrator finds out too late.
            guard try queue.read(migrator.hasCompletedMigrations) else { throw error }
        }
    }

    private static let metering = """
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

    // What repeats is written once; exchanges hold integers. An API whose template has been merged with others into one
    // with a parameter points to that: what is told of it is told of `shown_api`.
    private static let dictionaries = """
        CREATE TABLE process(id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE(pid, name));
        CREATE TABLE api(
            id INTEGER PRIMARY KEY, method TEXT NOT NULL, host TEXT NOT NULL, template TEXT NOT NULL,
            given INTEGER NOT NULL, merged_into INTEGER, UNIQUE(host, template, method));
        CREATE VIEW shown_api(id, method, host, template) AS
            SELECT a.id, a.method, a.host, coalesce(m.template, a.template)
            FROM api a LEFT JOIN api m ON m.id = a.merged_into;
        CREATE TABLE route(
            id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process INTEGER NOT NULL, scheme TEXT NOT NULL,
            port INTEGER NOT NULL, version TEXT NOT NULL, UNIQUE(api, process, port, scheme, version));
        CREATE TABLE answer(
            id INTEGER PRIMARY KEY, status INTEGER NOT NULL, type TEXT NOT NULL, coding TEXT NOT NULL,
            reason TEXT NOT NULL, version TEXT NOT NULL, UNIQUE(status, type, coding, reason, version));
        CREATE TABLE kind(
            id INTEGER PRIMARY KEY, api INTEGER NOT NULL, process TEXT NOT NULL, status INTEGER NOT NULL,
            type TEXT NOT NULL, UNIQUE(api, process, status, type));
        CREATE TABLE failure(id INTEGER PRIMARY KEY, code INTEGER NOT NULL, message TEXT NOT NULL,
            UNIQUE(code, message));
        CREATE TABLE address(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
        CREATE TABLE line(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX line_hash ON line(hash);
        CREATE TABLE shape(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX shape_hash ON shape(hash);
        CREATE TABLE query(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, bytes BLOB NOT NULL);
        CREATE INDEX query_hash ON query(hash);
        """

    // Columns are what queries look at; all else is packed: see ``MessageCoding``, ``EndCoding`` and ``PathCoding``. The
    // end of an exchange is part of its row, because most come in one batch: NULL in `outcome` while there is none.
    // NULL in `path` where it is the template. The exchanges that follow another of their task are few: a table of their
    // own finds them. `carried` has the first and the last exchange that ended on a connection, also where nothing else
    // is told of that; `tls` is NULL where there is no TLS, and `plain_up` where the plaintext was not counted.
    private static let details = """
        CREATE TABLE exchange(
            id INTEGER PRIMARY KEY, route INTEGER NOT NULL, started INTEGER NOT NULL, path, query,
            request BLOB NOT NULL, outcome INTEGER, total INTEGER, ending BLOB);
        CREATE TABLE hop(id INTEGER PRIMARY KEY, task INTEGER NOT NULL);
        CREATE INDEX hop_task ON hop(task);
        CREATE TABLE response(
            id INTEGER PRIMARY KEY, answer INTEGER NOT NULL, first_byte INTEGER NOT NULL, details BLOB NOT NULL);
        CREATE TABLE running(id INTEGER PRIMARY KEY, run INTEGER NOT NULL);
        CREATE TABLE body(
            id INTEGER NOT NULL, response INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY(id, response)
        );
        CREATE TABLE connection(
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, process INTEGER NOT NULL, local TEXT NOT NULL,
            remote TEXT NOT NULL, protocol TEXT NOT NULL, tls TEXT, cipher TEXT, opened INTEGER NOT NULL,
            closed INTEGER, sent INTEGER, received INTEGER, retransmitted INTEGER, segments_sent INTEGER,
            segments_received INTEGER, round_trip INTEGER, exchanges INTEGER NOT NULL, messages_up INTEGER NOT NULL,
            messages_down INTEGER NOT NULL, clear_up INTEGER NOT NULL, clear_down INTEGER NOT NULL,
            control_up INTEGER NOT NULL, control_down INTEGER NOT NULL, plain_up INTEGER, plain_down INTEGER);
        CREATE TABLE carried(connection INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
        CREATE TABLE span(minute INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL);
        CREATE TABLE timeline(
            minute INTEGER PRIMARY KEY, requests INTEGER NOT NULL, failures INTEGER NOT NULL, up INTEGER NOT NULL,
            down INTEGER NOT NULL);
        """

    // A code means something in its domain only. Until then its sign told: URLSession's are negative, libcurl's positive,
    // and 0 was written where an archive named an error without one.
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
    // What few connections have, the network, and what a ledger leaves open: see ``ConnectionRecord/ledger``. The index has
    // only connections that have something to be said of, so that a verdict on a million others reads none of them; what
    // was to be said of those that were let go of is in `ledger_gone`.
    private static let connectionParts =
        columns(LedgerColumns.firstRare) + """

            ALTER TABLE connection ADD COLUMN network TEXT;
            ALTER TABLE connection ADD COLUMN network_flags INTEGER NOT NULL DEFAULT 0;
            \(ledger(LedgerColumns.firstRare))
            CREATE TABLE ledger_gone(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
            """

    // What is not a column is packed into `sums`: see ``Rollup``. The rows are many, and written often.
    private static func rollup(_ name: String) -> String {
        """
        CREATE TABLE \(name)(
            slot INTEGER NOT NULL, kind INTEGER NOT NULL, requests INTEGER NOT NULL, first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL, sums BLOB NOT NULL, PRIMARY KEY(slot, kind)
        ) WITHOUT ROWID;
        """
    }
}
