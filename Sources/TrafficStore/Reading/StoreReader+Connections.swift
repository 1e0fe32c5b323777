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
        try read { database, connection in
            let rows = try connection.kept(Self.oneConnection, database)
            return try ids.compactMap { id in
                rows.bind(1, id.rawValue)
                defer { rows.reset() }
                return try rows.step() ? ConnectionRow(row: rows).connection : nil
            }
        }
    }

    private static let oneConnection = ConnectionRow.selection + " WHERE c.id = ?"

    /// The coverage of the ledgers, from sums: its time does not depend on the number of connections.
    package func ledgerCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> LedgerCoverage {
        if let since = range.since, let until = range.until, until < since { return LedgerCoverage() }
        return try read { database, _ in
            var sums = try LedgerSums(database, of: direction)
            try sums.add(range)
            var coverage = sums.coverage
            if coverage.unclosed > 0 {
                coverage.examples = try Self.worst(coverage.unclosed, of: direction, in: range, database)
            }
            return coverage
        }
    }

    private static func worst(
        _ count: Int64, of direction: TrafficDirection, in range: TimeRange, _ database: Database
    ) throws -> [LedgerCoverage.Example] {
        let rows = try PreparedStatement(
            database, LedgerColumns.worst(min(count, Int64(LedgerCoverage.mostExamples)), of: direction, in: range))
        var examples: [LedgerCoverage.Example] = []
        while try rows.step() {
            examples.append(LedgerCoverage.Example(connection: StoredConnection.ID(rows.int(0)), peer: rows.text(1)))
        }
        return examples
    }
}
