import GRDB
package import TrafficModel

extension StoreReader {
    /// Hands over the exchanges that match, one by one, all from the state at the begin.
    package func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?,
        _ body: (Exchange) throws -> Bool
    ) throws {
        try forEach(matching: filter, order: order, after: after, withBodies: true, body)
    }

    /// The same without the bodies that were kept.
    package func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?,
        _ body: (Exchange) throws -> Bool
    ) throws {
        try forEach(matching: filter, order: order, after: after, withBodies: false, body)
    }

    private func forEach(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?, withBodies: Bool,
        _ body: (Exchange) throws -> Bool
    ) throws {
        var query = ExchangeQuery(filter)
        query.begin(after: after, order: order)
        try read { database, connection in
            let rows = try query.statement(
                database, "SELECT \(ExchangeRow.columns) \(ExchangeRow.tables)", order: order)
            let bodies = withBodies ? try ExchangeRow.bodies(database) : nil
            while try rows.step() {
                let row = ExchangeRow(row: rows, bodies: bodies)
                guard row.isOver(filter.connection, ending: 8) else { continue }
                let path = try row.path(database, connection)
                if let prefix = filter.path, !path.utf8.starts(with: prefix.utf8) { continue }
                guard try body(row.exchange(path, database, connection)) else { break }
            }
            rows.reset()
        }
    }

    /// The exchange behind which the newest so many of those that match begin.
    package func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> ExchangeID? {
        let query = ExchangeQuery(filter)
        return try read { database, connection in
            let rows = try query.statement(
                database, "SELECT e.id, e.route, e.started, e.path, e.ending \(ExchangeRow.tables)",
                order: .newestFirst)
            defer { rows.reset() }
            var left = count
            while try rows.step() {
                let row = ExchangeRow(row: rows, bodies: nil)
                guard row.isOver(filter.connection, ending: 4) else { continue }
                if let prefix = filter.path {
                    let path = try row.path(database, connection)
                    guard path.utf8.starts(with: prefix.utf8) else { continue }
                }
                if left <= 0 { return ExchangeID(rows.int(0)) }
                left -= 1
            }
            return nil
        }
    }

    /// One exchange.
    package func exchange(_ id: ExchangeID) throws -> Exchange? {
        try read { database, connection in
            let rows = try PreparedStatement(
                database, "SELECT \(ExchangeRow.columns) \(ExchangeRow.tables) WHERE e.id = ?")
            rows.bind(1, id.rawValue)
            guard try rows.step() else { return nil }
            defer { rows.reset() }
            let row = ExchangeRow(row: rows, bodies: try ExchangeRow.bodies(database))
            return try row.exchange(try row.path(database, connection), database, connection)
        }
    }
}
