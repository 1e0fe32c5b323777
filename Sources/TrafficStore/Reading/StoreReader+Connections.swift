import GRDB
package import TrafficModel

extension StoreReader {
    /// Visits the connections one by one, in the order of their first events; all are read from the state at the start.
    package func forEachConnection(
        order: ExchangeOrder, after: StoredConnection.ID?, _ body: (StoredConnection) throws -> Bool
    ) throws {
        let isAscending = order == .oldestFirst
        let condition = after == nil ? "" : " WHERE c.id \(isAscending ? ">" : "<") ?"
        try read { database, _ in
            let rows = try PreparedStatement(
                database, ConnectionRow.selection + condition + " ORDER BY c.id" + (isAscending ? "" : " DESC"))
            if let after { rows.bind(1, after.rawValue) }
            defer { rows.reset() }
            while try rows.step() {
                guard try body(ConnectionRow(row: rows).connection) else { break }
            }
        }
    }

    /// How many connections there are.
    package func connectionCount() throws -> Int64 {
        try read { database, _ in try Int64.fetchOne(database, sql: "SELECT count(*) FROM connection") ?? 0 }
    }

    /// One connection; nil if there is none with that number.
    package func connection(_ id: StoredConnection.ID) throws -> StoredConnection? { try connections(of: [id]).first }

    /// The connections with those numbers, in that order; numbers without a connection are left out.
    package func connections(of ids: [StoredConnection.ID]) throws -> [StoredConnection] {
        try read { database, _ in
            let rows = try PreparedStatement(database, ConnectionRow.selection + " WHERE c.id = ?")
            return try ids.compactMap { id in
                rows.bind(1, id.rawValue)
                defer { rows.reset() }
                return try rows.step() ? ConnectionRow(row: rows).connection : nil
            }
        }
    }

    /// The coverage of the ledgers; it reads only connections in an index of those with something to report.
    package func ledgerCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> LedgerCoverage {
        try read { database, _ in
            var conditions = ""
            if let until = range.until { conditions += " AND opened < \(until.nanoseconds)" }
            if let since = range.since { conditions += " AND (closed IS NULL OR closed >= \(since.nanoseconds))" }
            let sums = try PreparedStatement(database, LedgerColumns.selection(of: direction) + conditions)
            guard try sums.step() else { return LedgerCoverage() }
            var coverage = LedgerCoverage(LedgerColumns.sums.indices.map { Int64(clamping: sums.double(Int32($0))) })
            sums.reset()
            let worst = try PreparedStatement(
                database,
                """
                SELECT id, remote FROM connection
                WHERE noted AND direction = \(direction.number) AND (unaccounted_up <> 0 OR unaccounted_down <> 0)
                    \(conditions)
                ORDER BY max(unaccounted_up, -unaccounted_up) + max(unaccounted_down, -unaccounted_down) DESC, id
                LIMIT \(LedgerCoverage.mostExamples)
                """)
            while try worst.step() {
                coverage.examples.append(
                    LedgerCoverage.Example(connection: StoredConnection.ID(worst.int(0)), peer: worst.text(1)))
            }
            if try reachesBack(range, database) { coverage.merge(try gone(database, direction)) }
            return coverage
        }
    }

    // Whether connections that have been deleted may have been open in that range.
    private func reachesBack(_ range: TimeRange, _ database: Database) throws -> Bool {
        guard let since = range.since else { return true }
        let first = try Int64.fetchOne(database, sql: "SELECT opened FROM connection ORDER BY id LIMIT 1")
        return since.nanoseconds < first ?? .max
    }

    private func gone(_ database: Database, _ direction: TrafficDirection) throws -> LedgerCoverage {
        let rows = try PreparedStatement(database, "SELECT name, value FROM ledger_gone")
        var values = [Int64](repeating: 0, count: LedgerColumns.sums.count)
        while try rows.step() {
            let name = rows.text(0)
            guard
                let place = LedgerColumns.sums.firstIndex(where: { LedgerColumns.goneName($0.name, direction) == name })
            else { continue }
            values[place] = rows.int(1)
        }
        return LedgerCoverage(values)
    }
}

extension LedgerCoverage {
    /// The coverage of figures in the order of ``LedgerColumns/sums``.
    fileprivate init(_ values: [Int64]) {
        self.init()
        let counts = values.map(Plausible.count)
        unclosed = counts[0]
        unaccounted = ByteFlow(up: ByteCount(values[1]), down: ByteCount(values[2]))
        excess = ByteFlow(up: ByteCount(values[3]), down: ByteCount(values[4]))
        unknown = counts[5]
        unproven = counts[6]
        for (offset, part) in ConnectionRow.rareParts.enumerated() {
            let flow = ByteFlow(up: ByteCount(values[7 + 2 * offset]), down: ByteCount(values[8 + 2 * offset]))
            if flow != .zero { parts[part] = flow }
        }
    }
}
