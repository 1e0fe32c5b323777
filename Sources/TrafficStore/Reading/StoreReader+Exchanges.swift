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
                guard try row.isOver(filter.network, ending: 8, database, connection) else { continue }
                let path = try row.path(database, connection)
                if let prefix = filter.path, !path.utf8.starts(with: prefix.utf8) { continue }
                guard try body(row.exchange(path, database, connection)) else { break }
            }
            rows.reset()
        }
    }

    /// The exchange behind which the newest so many of those that match begin.
    package func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> ExchangeID? {
        var left = count
        var start: ExchangeID?
        try forEachMoment(matching: filter) { moment in
            if left <= 0 { start = moment.exchange }
            left -= 1
            return start == nil
        }
        return start
    }

    /// The newest so many of those that match, the newest first.
    package func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment] {
        var moments: [ExchangeMoment] = []
        guard count > 0 else { return moments }
        try forEachMoment(matching: filter) { moment in
            moments.append(moment)
            return moments.count < count
        }
        return moments
    }

    // The newest first; of the rows only what conditions need is read.
    private func forEachMoment(matching filter: ExchangeFilter, _ body: (ExchangeMoment) -> Bool) throws {
        let query = ExchangeQuery(filter)
        try read { database, connection in
            let rows = try query.statement(
                database, "SELECT e.id, e.route, e.started, e.path, e.ending \(ExchangeRow.tables)",
                order: .newestFirst)
            defer { rows.reset() }
            while try rows.step() {
                let row = ExchangeRow(row: rows, bodies: nil)
                guard row.isOver(filter.connection, ending: 4) else { continue }
                guard try row.isOver(filter.network, ending: 4, database, connection) else { continue }
                if let prefix = filter.path {
                    guard try row.path(database, connection).utf8.starts(with: prefix.utf8) else { continue }
                }
                let moment = ExchangeMoment(
                    exchange: ExchangeID(rows.int(0)), startedAt: Timestamp(nanoseconds: rows.int(2)))
                guard body(moment) else { return }
            }
        }
    }

    /// One exchange.
    package func exchange(_ id: ExchangeID) throws -> Exchange? {
        try read { database, connection in
            try exchange(id, database, connection, bodies: try connection.bodies(database))
        }
    }

    /// The exchanges of those numbers that there are, in that order.
    package func heads(of ids: [ExchangeID]) throws -> [Exchange] {
        try read { database, connection in
            try ids.compactMap { try exchange($0, database, connection, bodies: nil) }
        }
    }

    private func exchange(
        _ id: ExchangeID, _ database: Database, _ connection: ReadConnection, bodies: PreparedStatement?
    ) throws -> Exchange? {
        let rows = try connection.oneExchange(database)
        rows.bind(1, id.rawValue)
        guard try rows.step() else { return nil }
        defer { rows.reset() }
        let row = ExchangeRow(row: rows, bodies: bodies)
        return try row.exchange(try row.path(database, connection), database, connection)
    }
}
