import GRDB

extension StoreSchema {
    /// Gives each value of an exchange and of a sum a column of its own, which any SQL tool can read.
    @Sendable static func unpack(_ database: Database) throws {
        for table in ["exchange", "response", "query"] + tiers {
            try database.execute(sql: "ALTER TABLE \(table) RENAME TO released_\(table)")
        }
        for statement in [plainExchanges, plainQueries] + tiers.map(plainRollup) {
            try database.execute(sql: statement)
        }
        let rows = try ReleasedRows(database)
        try rows.copyExchanges()
        for tier in tiers { try rows.copySums(tier) }
        for table in ["hop", "released_exchange", "released_response", "released_query"]
            + tiers.map({ "released_\($0)" })
        {
            try database.execute(sql: "DROP TABLE \(table)")
        }
        try database.execute(sql: exchangeIndex)
        try database.execute(sql: "CREATE INDEX query_hash ON query(hash)")
        // See ``RowMinutes``.
        try database.execute(sql: "ALTER TABLE span ADD COLUMN by_rows INTEGER NOT NULL DEFAULT 0")
        try database.execute(sql: "CREATE INDEX span_by_rows ON span(minute) WHERE by_rows")
        for view in views { try database.execute(sql: view) }
    }

    // One row for each exchange. The request is always there; the columns of the response and of the end are NULL until
    // there is one. Times are in microseconds: `started` since 1970, all others since `started`.
    //
    // What would be the same in most rows is NULL: `path` if it is the template of the API, or starts as the template
    // does before its first parameter (then `path_rest` is what comes after that start), `ended` if it is the
    // duration, `task` if the exchange is the first of its own, `decoded_body` if it is the body as sent. A part of a
    // size is NULL if it is unknown; for the evidence see ``PackedEvidence``. Integers that are 0 take no bytes.
    //
    // Scans read the first columns; the header lines at the end may be long.
    static let plainExchanges = """
        CREATE TABLE exchange(
            id INTEGER PRIMARY KEY, route INTEGER NOT NULL, answer INTEGER, started INTEGER NOT NULL,
            outcome INTEGER, failed INTEGER NOT NULL, duration INTEGER, ended INTEGER, sent INTEGER, first_byte INTEGER,
            request_start_line INTEGER, request_fields INTEGER, request_cookies INTEGER, request_interim INTEGER,
            request_body INTEGER, request_framing INTEGER, request_evidence INTEGER NOT NULL,
            response_start_line INTEGER, response_fields INTEGER, response_cookies INTEGER, response_interim INTEGER,
            response_body INTEGER, response_framing INTEGER, response_evidence INTEGER, decoded_body INTEGER,
            task INTEGER, resend_count INTEGER NOT NULL, connection INTEGER, reused INTEGER, address INTEGER,
            failure INTEGER, overhead_up INTEGER, overhead_down INTEGER, packet_headers_up INTEGER,
            packet_headers_down INTEGER, queue INTEGER, dns INTEGER, connect INTEGER, tls INTEGER, send INTEGER,
            wait INTEGER, receive INTEGER, request_digest INTEGER, response_digest INTEGER, path TEXT,
            path_rest TEXT, query_id INTEGER, query TEXT, request_lines BLOB, response_lines BLOB);
        CREATE TABLE outcome(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        INSERT INTO outcome VALUES (0, 'completed'), (1, 'failed'), (2, 'cancelled'), (3, 'timedOut'), (4, 'abandoned'),
            (5, 'incomplete');
        """

    static let exchangeIndex = "CREATE INDEX exchange_task ON exchange(task) WHERE task IS NOT NULL;"

    private static let plainQueries = """
        CREATE TABLE query(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, text TEXT NOT NULL);
        INSERT INTO query SELECT id, hash, CAST(bytes AS TEXT) FROM released_query;
        """

    // `latencies` has the histograms of times and of sizes, which no SQL adds up: see TrafficSums+Row.swift. Those of an hour or more may be
    // long, and in a table without row numbers, what exceeds a quarter of a page takes pages of its own.
    static func plainRollup(_ name: String) -> String {
        func parts(_ way: String) -> String {
            ["start_line", "fields", "cookies", "interim", "body", "framing", "captured", "unknown"]
                .map { "\(way)_\($0) INTEGER NOT NULL" }.joined(separator: ", ")
        }
        return """
            CREATE TABLE \(name)(
                slot INTEGER NOT NULL, kind INTEGER NOT NULL, requests INTEGER NOT NULL, responses INTEGER NOT NULL,
                failures INTEGER NOT NULL, incomplete INTEGER NOT NULL, incomplete_unanswered INTEGER NOT NULL,
                not_modified INTEGER NOT NULL, new_connections INTEGER NOT NULL, reused_connections INTEGER NOT NULL,
                encoded_body INTEGER NOT NULL, decoded_body INTEGER NOT NULL, \(parts("up")), \(parts("down")),
                sharing INTEGER NOT NULL, overhead_up INTEGER NOT NULL, overhead_down INTEGER NOT NULL,
                packet_headers_up INTEGER NOT NULL, packet_headers_down INTEGER NOT NULL, first_seen INTEGER NOT NULL,
                last_seen INTEGER NOT NULL, latencies BLOB NOT NULL, PRIMARY KEY(slot, kind)
            )\(name == tiers[0] ? " WITHOUT ROWID" : "");
            """
    }
}
