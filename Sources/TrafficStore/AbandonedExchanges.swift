import GRDB
internal import TrafficModel

/// Ends exchanges that nobody can end any more.
struct AbandonedExchanges {
    private let database: Database
    private let statements: WriterStatements

    /// Works inside the transaction that is open on that connection.
    init(_ database: Database, _ statements: WriterStatements) {
        self.database = database
        self.statements = statements
    }

    /// Ends the exchanges of all runs whose process is gone.
    func endVanishedRuns() throws {
        let open = try PreparedStatement(
            database, "SELECT id, pid, pid_started, seen FROM run WHERE closed IS NULL")
        var vanished: [(run: Int64, seen: Int64)] = []
        while try open.step() {
            let pid = Int32(truncatingIfNeeded: open.int(1))
            if !ProcessLiveness.isAlive(pid: pid, startTime: open.int(2)) {
                vanished.append((open.int(0), open.int(3)))
            }
        }
        for (run, seen) in vanished {
            try end(run: run)
            try database.execute(sql: "UPDATE run SET closed = ? WHERE id = ?", arguments: [seen, run])
        }
    }

    /// Ends what a run left open, at the last moment at which it wrote, and adds it to the sums.
    func end(run: Int64) throws {
        let rows = try PreparedStatement(
            database,
            """
            SELECT e.id, t.api, e.started, r.id IS NOT NULL, coalesce(a.status, 0), run.seen,
                e.start_line, e.fields, e.cookies, e.interim, e.body, e.framing, e.evidence,
                r.start_line, r.fields, r.cookies, r.interim, r.body, r.framing, r.evidence
            FROM running n JOIN exchange e ON e.id = n.id JOIN route t ON t.id = e.route
                JOIN run ON run.id = n.run
                LEFT JOIN response r ON r.id = e.id LEFT JOIN answer a ON a.id = r.answer
            WHERE n.run = ?
            """)
        rows.bind(1, run)
        try statements.checkRollups()
        let nowhere = try address()
        while try rows.step() {
            let exchange = OpenExchange(
                row: rows.int(0), api: rows.int(1), startedAt: Timestamp(nanoseconds: rows.int(2)),
                up: WireSize(row: rows, first: 6, evidence: 12),
                down: rows.int(3) == 0 ? nil : WireSize(row: rows, first: 13, evidence: 19),
                status: Int(rows.int(4)))
            let end = ExchangeEnd(
                exchange: ExchangeID(exchange.row),
                endedAt: max(exchange.startedAt, Timestamp(nanoseconds: rows.int(5))), outcome: .abandoned,
                timings: ExchangeTimings())
            try statements.write(
                end, row: exchange.row, startedAt: exchange.startedAt, connection: nil, address: nowhere,
                failure: nil)
            try statements.addToRollups(exchange, end: end)
        }
        try statements.writeRollups()
        try database.execute(sql: "DELETE FROM running WHERE run = ?", arguments: [run])
    }

    private func address() throws -> Int64 {
        try database.execute(sql: "INSERT OR IGNORE INTO address(text) VALUES ('')")
        return try Int64.fetchOne(database, sql: "SELECT id FROM address WHERE text = ''") ?? 0
    }
}
