import ClickHouse
import FleetTables
import RowBinary
package import TrafficModel

extension FleetReader {
    /// Visits the connections one by one, in the order of their first events.
    package func forEachConnection(
        order: ExchangeOrder, after: StoredConnection.ID?, _ body: (StoredConnection) throws -> Bool
    ) throws {
        let isAscending = order == .oldestFirst
        var last = after?.rawValue
        let condition = SQLText.joined([try oneInstallation()] + openConditions(selection.range), by: " AND ")
        while true {
            let rest: SQLText = last.map { isAscending ? " AND number > \($0)" : " AND number < \($0)" } ?? ""
            var page: [StoredConnection] = []
            try client.forEachRow(
                """
                SELECT \(Self.connectionColumns) FROM connection FINAL WHERE \(condition)\(rest)
                ORDER BY number \(isAscending ? "" : "DESC" as SQLText) LIMIT \(Self.connectionsPerPage)
                """
            ) { row in
                page.append(FleetConnection.table.read(&row).connection)
                return true
            }
            for connection in page { guard try body(connection) else { return } }
            guard page.count == Self.connectionsPerPage, let end = page.last else { return }
            last = end.id.rawValue
        }
    }

    private static let connectionsPerPage = 20_000
    private static let connectionColumns = SQLText.joined(
        FleetConnection.table.columns.map { "\(name: $0.name)" }, by: ", ")

    /// The conditions that a connection was open in a range.
    private func openConditions(_ range: TimeRange) -> [SQLText] {
        [
            range.since.map { "(closed_ns IS NULL OR closed_ns >= \($0.nanoseconds))" },
            range.until.map { "opened_ns < \($0.nanoseconds)" },
        ].compactMap(\.self)
    }

    /// How many connections there are.
    package func connectionCount() throws -> Int64 {
        let condition = SQLText.joined([try oneInstallation()] + openConditions(selection.range), by: " AND ")
        return try client.count("connection FINAL WHERE \(condition)")
    }

    /// One connection; nil if there is none with that number.
    package func connection(_ id: StoredConnection.ID) throws -> StoredConnection? { try connections(of: [id]).first }

    /// The connections with those numbers, in that order; numbers without a connection are left out.
    package func connections(of ids: [StoredConnection.ID]) throws -> [StoredConnection] {
        guard !ids.isEmpty else { return [] }
        let list = SQLText.joined(ids.map { "\($0.rawValue)" }, by: ", ")
        var found: [StoredConnection.ID: StoredConnection] = [:]
        try client.forEachRow(
            """
            SELECT \(Self.connectionColumns) FROM connection FINAL
            WHERE \(try oneInstallation()) AND number IN (\(list))
            """
        ) { row in
            let connection = FleetConnection.table.read(&row).connection
            found[connection.id] = connection
            return true
        }
        return ids.compactMap { found[$0] }
    }

    /// The coverage of the ledgers of one installation; none if the address selects several, whose connections may not all
    /// have been sent.
    ///
    /// The engine adds it up, so nothing of a connection is read but the examples.
    package func ledgerCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> LedgerCoverage {
        var result = LedgerCoverage()
        let installations = try installations()
        result.isWhole = installations.count == 1 && installations.areWhole
        guard installations.count == 1 else { return result }
        let conditions = [try oneInstallation(), "direction = \(FleetNumbers.direction(direction))"]
        let rows = SQLText.joined(conditions + openConditions(selection.part(of: range)), by: " AND ")
        try client.forEachRow(
            """
            SELECT \(LedgerFigures.sums) FROM (SELECT \(LedgerFigures.columns) FROM connection FINAL WHERE \(rows))
            """
        ) { row in
            result.unclosed = FleetNumbers.count(row.int64())
            result.unknown = FleetNumbers.count(row.int64())
            result.unproven = FleetNumbers.count(row.int64())
            result.withoutExchange = FleetNumbers.count(row.int64())
            result.unaccounted = row.flow()
            result.excess = row.flow()
            result.overheadWithoutExchange = row.flow()
            for (_, part) in FleetConnection.rareParts {
                let flow = row.flow()
                if flow != .zero { result.parts[part] = flow }
            }
            return false
        }
        if result.unclosed > 0 { result.examples = try examples(of: rows) }
        return result
    }

    /// Those of the connections whose ledgers do not add up that have the most unexplained bytes; of equal ones, those with
    /// the lower numbers.
    private func examples(of rows: SQLText) throws -> [LedgerCoverage.Example] {
        var examples: [LedgerCoverage.Example] = []
        try client.forEachRow(
            """
            SELECT number, remote FROM (SELECT number, remote, \(LedgerFigures.columns) FROM connection FINAL WHERE \(rows))
            WHERE \(LedgerFigures.isUnclosed) ORDER BY \(LedgerFigures.weight) DESC, number
            LIMIT \(LedgerCoverage.mostExamples)
            """
        ) { row in
            let number = StoredConnection.ID(row.int64())
            examples.append(LedgerCoverage.Example(connection: number, peer: row.text()))
            return true
        }
        return examples
    }

    /// The directions in which there was traffic in a range.
    package func directions(in range: TimeRange) throws -> [TrafficDirection] {
        var mayHaveServed = false
        let served = ["sums", "connection"].map { table -> SQLText in
            // Over a cluster, ClickHouse of 2018 fails where no column is selected.
            "SELECT direction FROM \(name: table) WHERE \(selection.condition) AND direction = 1 LIMIT 1"
        }
        try client.forEachRow(SQLText.joined(served, by: " UNION ALL ")) { row in
            mayHaveServed = row.flag()
            return false
        }
        return mayHaveServed ? try countedDirections(in: range) : [.called]
    }
}

extension RowBinaryReader {
    /// Bytes up and bytes down.
    fileprivate mutating func flow() -> ByteFlow { ByteFlow(up: ByteCount(int64()), down: ByteCount(int64())) }
}
