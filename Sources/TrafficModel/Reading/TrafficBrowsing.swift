/// What lists and pages ask of a store beside what adopters do.
///
/// The inspector, the audit and the command see a store through this; each question has an answer that reads everything,
/// and a store has a faster one.
package protocol TrafficBrowsing: TrafficReading {
    /// The same as ``TrafficReading/forEachExchange(matching:order:after:_:)`` without the bodies that were kept, which can
    /// weigh more than all else.
    func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?,
        _ body: (Exchange) throws -> Bool
    ) throws

    /// The exchange behind which the newest so many of those that match begin; nil where there are no more than that.
    func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> ExchangeID?

    /// The exchanges of those numbers that there are, in that order, without the bodies that were kept.
    func heads(of ids: [ExchangeID]) throws -> [Exchange]

    /// The newest so many of those that match, the newest first: what a list needs that is in the order of time.
    func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment]

    /// The connections of those numbers that there are, in that order.
    func connections(of ids: [ConnectionID]) throws -> [ConnectionRecord]

    /// How many connections there are.
    func connectionCount() throws -> Int64

    /// What changes when somebody writes; cheap enough to be asked many times a second.
    func state() throws -> StoreState
}

extension TrafficBrowsing {
    /// The connections of those numbers that there are, in that order.
    package func connections(of ids: [ConnectionID]) throws -> [ConnectionRecord] {
        try ids.compactMap { try connection($0) }
    }

    /// How many connections there are.
    package func connectionCount() throws -> Int64 {
        var count: Int64 = 0
        try forEachConnection(order: .oldestFirst, after: nil) { _ in
            count += 1
            return true
        }
        return count
    }

    /// The exchanges without the bodies that were kept.
    package func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?,
        _ body: (Exchange) throws -> Bool
    ) throws {
        try forEachExchange(matching: filter, order: order, after: after) { exchange in
            var exchange = exchange
            exchange.request.capturedBody = nil
            exchange.response?.capturedBody = nil
            return try body(exchange)
        }
    }

    /// The exchanges of those numbers that there are, in that order, without the bodies that were kept.
    package func heads(of ids: [ExchangeID]) throws -> [Exchange] {
        try ids.compactMap { id in
            guard var exchange = try exchange(id) else { return nil }
            exchange.request.capturedBody = nil
            exchange.response?.capturedBody = nil
            return exchange
        }
    }

    /// The newest so many of those that match, the newest first.
    package func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment] {
        var moments: [ExchangeMoment] = []
        try forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            guard moments.count < count else { return false }
            moments.append(
                ExchangeMoment(exchange: exchange.request.exchange, startedAt: exchange.request.startedAt))
            return true
        }
        return moments
    }

    /// The exchange behind which the newest so many of those that match begin; nil where there are no more than that.
    package func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> ExchangeID? {
        var left = count
        var start: ExchangeID?
        try forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            if left <= 0 { start = exchange.request.exchange }
            left -= 1
            return start == nil
        }
        return start
    }
}

/// When an exchange began.
package struct ExchangeMoment: Hashable, Sendable {
    /// The exchange.
    package var exchange: ExchangeID
    /// When its request began.
    package var startedAt: Timestamp

    /// The moment of an exchange.
    package init(exchange: ExchangeID, startedAt: Timestamp) {
        self.exchange = exchange
        self.startedAt = startedAt
    }
}

/// What tells whether a store is as it was.
package struct StoreState: Hashable, Sendable {
    /// Another number after each change by another connection.
    package var changes: Int64
    /// How often the store was cleared.
    package var generation: Int64

    /// A state of those figures.
    package init(changes: Int64, generation: Int64) {
        self.changes = changes
        self.generation = generation
    }
}
