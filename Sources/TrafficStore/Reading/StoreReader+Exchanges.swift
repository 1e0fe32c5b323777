import GRDB
package import TrafficModel

extension StoreReader {
    /// Visits the matching exchanges one by one; all are read from the state at the start.
    package func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        try forEach(matching: filter, order: order, after: after, withBodies: true, body)
    }

    /// The same without the kept bodies.
    package func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        try forEach(matching: filter, order: order, after: after, withBodies: false, body)
    }

    /// Visits the exchanges after that one without the kept bodies, the oldest first, each with those parts.
    ///
    /// The body may change the exchange, which is its own: copying one takes as long as a part of reading it.
    package func forEachHead(
        after: StoredExchange.ID, with parts: ExchangeParts, _ body: (inout StoredExchange) throws -> Bool
    ) throws {
        var query = ExchangeQuery(ExchangeFilter())
        query.begin(after: after, order: .oldestFirst)
        try read { database, connection in
            let rows = try query.keptStatement(database, connection, ExchangeRow.selection, order: .oldestFirst)
            defer { rows.reset() }
            let row = ExchangeRow(row: rows, bodies: nil, parts: parts)
            while try rows.step() {
                var exchange = try row.exchange(database, connection)
                guard try body(&exchange) else { break }
            }
        }
    }

    /// Visits the matching exchanges without the kept bodies; a search that takes long also calls `pause` now and then, so
    /// that what was found can be shown.
    package func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, pause: () throws -> Void,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        try forEach(matching: filter, order: order, after: nil, withBodies: false, pause: pause, body)
    }

    private func forEach(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?, withBodies: Bool,
        pause: () throws -> Void = {}, _ body: (StoredExchange) throws -> Bool
    ) throws {
        var query = ExchangeQuery(filter)
        query.begin(after: after, order: order)
        guard !query.isSearch else {
            let goOn = { (_: ClosedRange<Int64>, _: ClosedRange<Int64>?) in
                try pause()
                return true
            }
            return try forEachFound(query, order: order, goOn: goOn) { moment, database, connection in
                let bodies = withBodies ? try connection.bodies(database) : nil
                guard let found = try exchange(moment.exchange, database, connection, bodies: bodies) else {
                    return true
                }
                return try body(found)
            }
        }
        try read { database, connection in
            let rows = try query.keptStatement(database, connection, ExchangeRow.selection, order: order)
            defer { rows.reset() }
            let row = ExchangeRow(
                row: rows, bodies: withBodies ? try connection.bodies(database) : nil)
            while try rows.step() {
                guard try body(row.exchange(database, connection)) else { break }
            }
        }
    }

    /// The cursor before the newest `count` matching exchanges; nil if no more than `count` match.
    package func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> StoredExchange.ID? {
        var left = count
        var start: StoredExchange.ID?
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
        guard !query.isSearch else {
            return try forEachFound(query, order: .newestFirst) { moment, _, _ in body(moment) }
        }
        try read { database, _ in
            let columns = ExchangeColumn.selection([.id, .started])
            let rows = try query.statement(database, "SELECT \(columns) FROM exchange e", order: .newestFirst)
            defer { rows.reset() }
            while try rows.step() {
                let moment = ExchangeMoment(
                    exchange: StoredExchange.ID(rows.int(0)), startedAt: Timestamp(microseconds: rows.int(1)))
                guard body(moment) else { return }
            }
        }
    }

    /// One exchange; nil if there is none with that number.
    package func exchange(_ id: StoredExchange.ID) throws -> StoredExchange? {
        try read { database, connection in
            try exchange(id, database, connection, bodies: try connection.bodies(database))
        }
    }

    /// The exchanges with those numbers, in that order, without the kept bodies; numbers without an exchange are left
    /// out.
    package func heads(of ids: [StoredExchange.ID]) throws -> [StoredExchange] {
        try read { database, connection in
            try ids.compactMap { try exchange($0, database, connection, bodies: nil) }
        }
    }

    private func exchange(
        _ id: StoredExchange.ID, _ database: Database, _ connection: ReadConnection, bodies: PreparedStatement?
    ) throws -> StoredExchange? {
        let rows = try connection.oneExchange(database)
        rows.bind(1, id.rawValue)
        guard try rows.step() else { return nil }
        defer { rows.reset() }
        return try ExchangeRow(row: rows, bodies: bodies).exchange(database, connection)
    }
}
