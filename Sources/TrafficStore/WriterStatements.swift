import GRDB

/// The writer's statements, compiled once.
struct WriterStatements {
    let exchange: PreparedStatement
    let response: PreparedStatement
    /// Keeps a response where it is when its request's begin moves.
    let shiftFirstByte: PreparedStatement
    let ending: PreparedStatement
    let body: PreparedStatement
    let list: PreparedStatement
    let unlist: PreparedStatement
    let connection: PreparedStatement
    let span: PreparedStatement
    let loss: PreparedStatement
    let seen: PreparedStatement
    let readMeta: PreparedStatement
    let writeMeta: PreparedStatement
    let minutes: RollupTable
    let hours: RollupTable

    /// Compiles them all.
    init(_ database: Database) throws {
        func prepare(_ sql: String) throws -> PreparedStatement { try PreparedStatement(database, sql) }
        exchange = try prepare(
            """
            INSERT OR REPLACE INTO exchange(
                id, run, route, task, hop, started, path, query, lines,
                start_line, fields, cookies, interim, body, framing, evidence, digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        response = try prepare(
            """
            INSERT OR REPLACE INTO response(
                id, answer, first_byte, lines, start_line, fields, cookies, interim, body, framing,
                decoded, evidence, digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        shiftFirstByte = try prepare("UPDATE response SET first_byte = first_byte + ?2 WHERE id = ?1")
        ending = try prepare(
            "INSERT INTO ending(id, outcome, failure, total, connection, address, details) VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        body = try prepare("INSERT OR REPLACE INTO body(id, response, bytes) VALUES (?, ?, ?)")
        list = try prepare("INSERT OR IGNORE INTO running(id, run) VALUES (?, ?)")
        unlist = try prepare("DELETE FROM running WHERE id = ?")
        connection = try prepare(
            """
            INSERT OR REPLACE INTO connection(
                id, run, process, local, remote, opened, closed, sent, received, retransmitted, round_trip)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        span = try prepare(
            """
            INSERT INTO span(minute, first, last) VALUES (?1, ?2, ?3)
            ON CONFLICT(minute) DO UPDATE SET first = min(first, ?2), last = max(last, ?3)
            """)
        loss = try prepare(
            """
            INSERT INTO loss(run, reason, count) VALUES (?1, ?2, ?3)
            ON CONFLICT(run, reason) DO UPDATE SET count = count + ?3
            """)
        seen = try prepare("UPDATE run SET seen = max(seen, ?2) WHERE id = ?1")
        readMeta = try prepare("SELECT value FROM meta WHERE key = ?")
        writeMeta = try prepare("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)")
        minutes = try RollupTable(database, table: "rollup_minute")
        hours = try RollupTable(database, table: "rollup_hour")
    }
}
