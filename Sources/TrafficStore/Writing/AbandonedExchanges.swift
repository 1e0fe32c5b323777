import GRDB
internal import TrafficModel

/// Ends exchanges whose process or run has ended.
struct AbandonedExchanges {
    private let database: Database
    private let statements: WriterStatements

    /// Works inside the open transaction of that connection.
    init(_ database: Database, _ statements: WriterStatements) {
        self.database = database
        self.statements = statements
    }

    /// Ends the exchanges of all runs whose process no longer exists.
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

    /// Ends the open exchanges of a run, at the time of its last write, and adds them to the sums.
    func end(run: Int64) throws {
        let rows = try PreparedStatement(
            database,
            """
            SELECT \(OpenExchange.columns), run.seen \(OpenExchange.tables)
                JOIN run ON run.id = n.run
            WHERE n.run = ?
            """)
        rows.bind(1, run)
        try statements.tiers.check()
        let references = EndReferences(address: try address())
        while try rows.step() {
            let exchange = OpenExchange(row: rows, first: 0)
            let end = ExchangeEnd(
                exchange: .notKept,
                endedAt: max(
                    exchange.startedAt, Timestamp(nanoseconds: Plausible.moment(rows.int(OpenExchange.columnCount)))),
                outcome: .abandoned,
                timings: ExchangeTimings())
            try statements.write(end, of: exchange, references: references)
            try statements.tiers.add(exchange, endedBy: EndFigures(end, since: exchange.startedAt))
        }
        try statements.tiers.write()
        try database.execute(sql: "DELETE FROM running WHERE run = ?", arguments: [run])
    }

    private func address() throws -> Int64 {
        try database.execute(sql: "INSERT OR IGNORE INTO address(text) VALUES ('')")
        return try Int64.fetchOne(database, sql: "SELECT id FROM address WHERE text = ''") ?? 0
    }
}
