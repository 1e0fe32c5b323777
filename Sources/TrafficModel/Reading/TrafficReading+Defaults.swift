// What a reader gets that answers only the questions that it must.
//
// A store answers each of these faster, from its indices and its own sums.
extension TrafficReading {
    /// All connections at once, in the order in which they were told of.
    public func connections() throws -> [ConnectionRecord] {
        var all: [ConnectionRecord] = []
        try forEachConnection(order: .oldestFirst, after: nil) { connection in
            all.append(connection)
            return true
        }
        return all
    }

    /// The connections of those numbers that there are, in that order.
    public func connections(of ids: [ConnectionID]) throws -> [ConnectionRecord] {
        try ids.compactMap { try connection($0) }
    }

    /// How many connections there are.
    public func connectionCount() throws -> Int64 {
        var count: Int64 = 0
        try forEachConnection(order: .oldestFirst, after: nil) { _ in
            count += 1
            return true
        }
        return count
    }

    /// One connection; nil where there is none of that number.
    public func connection(_ id: ConnectionID) throws -> ConnectionRecord? {
        var found: ConnectionRecord?
        try forEachConnection(order: .oldestFirst, after: nil) { connection in
            if connection.connection == id { found = connection }
            return found == nil
        }
        return found
    }

    /// The exchanges without the bodies that were kept.
    public func forEachHead(
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
    public func heads(of ids: [ExchangeID]) throws -> [Exchange] {
        try ids.compactMap { id in
            guard var exchange = try exchange(id) else { return nil }
            exchange.request.capturedBody = nil
            exchange.response?.capturedBody = nil
            return exchange
        }
    }

    /// The newest so many of those that match, the newest first.
    public func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment] {
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
    public func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> ExchangeID? {
        var left = count
        var start: ExchangeID?
        try forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            if left <= 0 { start = exchange.request.exchange }
            left -= 1
            return start == nil
        }
        return start
    }

    /// What could not be recorded, by reason.
    public func losses() throws -> [TrafficLoss] { try overview().losses }

    /// The traffic of a range over time, from the exchanges themselves.
    ///
    /// For readers that keep no sums; a store answers from its own.
    public func timeline(in range: TimeRange, limit: Int) throws -> TrafficTimeline {
        var filter = ExchangeFilter()
        filter.range = range
        var ends: (first: Timestamp, last: Timestamp)?
        try forEachExchange(matching: filter, order: .oldestFirst, after: nil) { exchange in
            let moment = exchange.request.startedAt
            ends = (min(ends?.first ?? moment, moment), max(ends?.last ?? moment, moment))
            return true
        }
        guard let ends else { return .none }
        var timeline = TrafficTimeline(from: ends.first, to: ends.last, limit: limit)
        try forEachExchange(matching: filter, order: .oldestFirst, after: nil) { exchange in
            var total = TrafficTotal(key: TrafficTotal.Key())
            total.add(exchange)
            timeline.add(
                at: exchange.request.startedAt, requests: 1, failures: total.failures, up: total.up.total,
                down: total.down.total)
            return true
        }
        return timeline
    }
}
