import GRDB
package import TrafficModel

extension StoreReader {
    /// Visits the matching exchanges one by one; all are read from the state at the start.
    package func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?,
        _ body: (Exchange) throws -> Bool
    ) throws {
        try forEach(matching: filter, order: order, after: after, withBodies: true, body)
    }

    /// The same without the kept bodies.
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

    /// The cursor before the newest `count` matching exchanges; nil if no more than `count` match.
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

    /// The newest `count` matching exchanges, the newest first.
    package func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment] {
        var moments: [ExchangeMoment] = []
        guard count > 0 else { return moments }
        try forEachMoment(matching: filter) { moment in
            moments.append(moment)
            return moments.count < count
        }
        return moments
    }

    // Visits the newest first; reads only the columns that the conditions need.
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

    /// One exchange; nil if there is none with that number.
    package func exchange(_ id: ExchangeID) throws -> Exchange? {
        try read { database, connection in
            try exchange(id, database, connection, bodies: try connection.bodies(database))
        }
    }

    /// The exchanges with those numbers, in that order, without the kept bodies; numbers without an exchange are left
    /// out.
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
