import GRDB
internal import TrafficModel

/// The writer's statements, compiled once.
final class WriterStatements {
    let exchange: PreparedStatement
    let exchangeAgain: PreparedStatement
    let response: PreparedStatement
    let responseAgain: PreparedStatement
    let hop: PreparedStatement
    /// Keeps a response where it is when its request's begin moves.
    let shiftFirstByte: PreparedStatement
    let ending: PreparedStatement
    let body: PreparedStatement
    let list: PreparedStatement
    let unlist: PreparedStatement
    /// Take out the rows of an exchange that is counted and not kept.
    let forget: [PreparedStatement]
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
    // The minutes before this one are in the sums of their hours.
    @exclusivity(unchecked) private var folded: Int64 = 0
    // The last minute of which this writer has seen an exchange.
    @exclusivity(unchecked) private var newest: Int64 = -1

    /// Compiles them all.
    init(_ database: Database) throws {
        let arena = BindArena()
        func prepare(_ sql: String) throws -> PreparedStatement { try PreparedStatement(database, sql, arena: arena) }
        let exchangeColumns =
            "exchange(id, route, started, path, query, request, outcome, total, ending) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        exchange = try prepare("INSERT INTO " + exchangeColumns)
        exchangeAgain = try prepare("INSERT OR REPLACE INTO " + exchangeColumns)
        let responseColumns = "response(id, answer, first_byte, details) VALUES (?, ?, ?, ?)"
        response = try prepare("INSERT INTO " + responseColumns)
        responseAgain = try prepare("INSERT OR REPLACE INTO " + responseColumns)
        hop = try prepare("INSERT OR REPLACE INTO hop(id, task) VALUES (?, ?)")
        shiftFirstByte = try prepare("UPDATE response SET first_byte = first_byte + ?2 WHERE id = ?1")
        ending = try prepare("UPDATE exchange SET outcome = ?2, total = ?3, ending = ?4 WHERE id = ?1")
        body = try prepare("INSERT OR REPLACE INTO body(id, response, bytes) VALUES (?, ?, ?)")
        list = try prepare("INSERT OR IGNORE INTO running(id, run) VALUES (?, ?)")
        unlist = try prepare("DELETE FROM running WHERE id = ?")
        forget = try StoreSchema.exchangeTables.map { try prepare("DELETE FROM \($0) WHERE id = ?") }
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

    /// Adds an exchange that has ended to the sums, in memory until ``writeRollups()``.
    ///
    /// The hour's sums follow when its minute is left: see ``fold(until:)``.
    func addToRollups(_ exchange: OpenExchange, end: ExchangeEnd) throws {
        let minute = Rollup.minute(of: exchange.startedAt)
        try minutes.change(Rollup.Key(api: exchange.api, slot: minute)) { $0.add(exchange, end: end) }
        newest = max(newest, minute)
        guard minute < folded else { return }
        try hours.change(Rollup.Key(api: exchange.api, slot: Rollup.hour(of: minute))) {
            $0.add(exchange, end: end)
        }
    }

    /// Writes both tiers.
    func writeRollups() throws {
        try minutes.write()
        try fold(until: newest)
        try hours.write()
    }

    /// Adds the minutes before one to their hours, in the transaction that is open; what comes to them later goes to
    /// both.
    ///
    /// An hour's sums are long rows. Written with every batch, they would cost as much as the exchanges.
    func fold(until minute: Int64) throws {
        guard minute > folded else { return }
        try minutes.forEach(from: folded, until: minute) { key, sum in
            try hours.change(Rollup.Key(api: key.api, slot: Rollup.hour(of: key.slot))) { $0.merge(sum) }
        }
        try hours.write()
        writeMeta.bind(1, "folded")
        writeMeta.bind(2, minute)
        try writeMeta.runOnce()
        folded = minute
    }

    /// Adds all minutes to their hours, because the writer is closed.
    func foldAll() throws {
        try minutes.write()
        guard newest >= 0 else { return try hours.write() }
        try fold(until: newest + 1)
        try hours.write()
    }

    /// Forgets sums that another connection may have changed since the last transaction.
    func checkRollups() throws {
        guard try dataVersion.step() else { return }
        let version = dataVersion.int(0)
        dataVersion.reset()
        if version != lastVersion {
            forgetRollups()
            readMeta.bind(1, "folded")
            folded = try readMeta.step() ? readMeta.int(0) : 0
            readMeta.reset()
        }
        lastVersion = version
    }

    /// Forgets the sums in memory, because a transaction was rolled back or rows were deleted.
    func forgetRollups() {
        minutes.forget()
        hours.forget()
        // What they stand for is read again with the next transaction.
        lastVersion = -1
    }
}
