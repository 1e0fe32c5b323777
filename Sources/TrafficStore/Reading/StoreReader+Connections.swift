import GRDB
package import TrafficModel

extension StoreReader {
    /// Hands over the connections one by one, all from the state at the begin, in the order in which they were told of.
    package func forEachConnection(
        order: ExchangeOrder, after: ConnectionID?, _ body: (ConnectionRecord) throws -> Bool
    ) throws {
        let isAscending = order == .oldestFirst
        let condition = after == nil ? "" : " WHERE c.id \(isAscending ? ">" : "<") ?"
        try read { database, _ in
            let rows = try PreparedStatement(
                database, ConnectionRow.selection + condition + " ORDER BY c.id" + (isAscending ? "" : " DESC"))
            if let after { rows.bind(1, after.rawValue) }
            defer { rows.reset() }
            while try rows.step() {
                guard try body(ConnectionRow(row: rows).record) else { break }
            }
        }
    }

    /// How many connections there are.
    package func connectionCount() throws -> Int64 {
        try read { database, _ in try Int64.fetchOne(database, sql: "SELECT count(*) FROM connection") ?? 0 }
    }

    /// One connection.
    package func connection(_ id: ConnectionID) throws -> ConnectionRecord? { try connections(of: [id]).first }

    /// The connections of those numbers that there are, in that order.
    package func connections(of ids: [ConnectionID]) throws -> [ConnectionRecord] {
        try read { database, _ in
            let rows = try PreparedStatement(database, ConnectionRow.selection + " WHERE c.id = ?")
            return try ids.compactMap { id in
                rows.bind(1, id.rawValue)
                defer { rows.reset() }
                return try rows.step() ? ConnectionRow(row: rows).record : nil
            }
        }
    }
}
