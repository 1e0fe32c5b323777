import GRDB
internal import TrafficModel

/// The writer's statements, compiled once.
final class WriterStatements {
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
    let dataVersion: PreparedStatement
    let minutes: RollupTable
    let hours: RollupTable
    private var lastVersion: Int64 = -1

    /// Compiles them all.
    init(_ database: Database) throws {
        let arena = BindArena()
        func prepare(_ sql: String) throws -> PreparedStatement { try PreparedStatement(database, sql, arena: arena) }
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
        dataVersion = try prepare("PRAGMA data_version")
        minutes = try RollupTable(database, table: "rollup_minute")
        hours = try RollupTable(database, table: "rollup_hour")
    }

    /// Adds an exchange that has ended to both tiers, in memory until ``writeRollups()``.
    func addToRollups(_ exchange: OpenExchange, end: ExchangeEnd) throws {
        let minute = Rollup.minute(of: exchange.startedAt)
        try minutes.change(Rollup.Key(api: exchange.api, slot: minute)) { $0.add(exchange, end: end) }
        try hours.change(Rollup.Key(api: exchange.api, slot: Rollup.hour(of: minute))) {
            $0.add(exchange, end: end)
        }
    }

    /// Writes both tiers.
    func writeRollups() throws {
        try minutes.write()
        try hours.write()
    }

    /// Forgets sums that another connection may have changed since the last transaction.
    func checkRollups() throws {
        guard try dataVersion.step() else { return }
        let version = dataVersion.int(0)
        dataVersion.reset()
        if version != lastVersion { forgetRollups() }
        lastVersion = version
    }

    /// Forgets the sums in memory, because a transaction was rolled back or rows were deleted.
    func forgetRollups() {
        minutes.forget()
        hours.forget()
    }
}
