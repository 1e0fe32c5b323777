// Defaults for readers that implement only the required queries; a store has faster ones.
extension TrafficReading {
    /// All connections at once, in the order of their first events.
    public func connections() throws -> [StoredConnection] {
        var all: [StoredConnection] = []
        try forEachConnection(order: .oldestFirst, after: nil) { connection in
            all.append(connection)
            return true
        }
        return all
    }

    /// One connection; nil if there is none with that number.
    public func connection(_ id: StoredConnection.ID) throws -> StoredConnection? {
        var found: StoredConnection?
        try forEachConnection(order: .oldestFirst, after: nil) { connection in
            if connection.id == id { found = connection }
            return found == nil
        }
        return found
    }

    /// The coverage of the ledgers of all connections of a direction that were open in a range of time, computed from
    /// the connections.
    public func ledgerCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> LedgerCoverage {
        var result = LedgerCoverage()
        try forEachConnection(order: .oldestFirst, after: nil) { connection in
            let (id, record) = (connection.id, connection.record)
            if record.direction == direction, record.wasOpen(in: range), let coverage = record.coverage(as: id) {
                result.merge(coverage)
            }
            return true
        }
        return result
    }

    /// What could not be recorded, by reason.
    public func losses() throws -> [TrafficLoss] { try overview().losses }

    /// The coverage of the ledgers of all connections that were opened by the program: of those that it called.
    public func ledgerCoverage(in range: TimeRange) throws -> LedgerCoverage {
        try ledgerCoverage(of: .called, in: range)
    }

    /// The traffic of a range over time, as far as it was called.
    public func timeline(in range: TimeRange, limit: Int) throws -> TrafficTimeline {
        try timeline(of: .called, in: range, limit: limit)
    }

    /// The traffic of a range over time in one direction, computed from the exchanges.
    ///
    /// For readers that keep no sums; a store uses its roll-ups.
    public func timeline(
        of direction: TrafficDirection, in range: TimeRange, limit: Int
    ) throws -> TrafficTimeline {
        var filter = ExchangeFilter()
        filter.range = range
        filter.direction = direction
        var ends: (first: Timestamp, last: Timestamp)?
        try forEachExchange(matching: filter, order: .oldestFirst, after: nil) { exchange in
            let moment = exchange.request.startedAt
            ends = (min(ends?.first ?? moment, moment), max(ends?.last ?? moment, moment))
            return true
        }
        guard let ends else { return .none }
        var timeline = TrafficTimeline(from: ends.first, to: ends.last, limit: limit)
        try forEachExchange(matching: filter, order: .oldestFirst, after: nil) { exchange in
            var slot = TrafficTimeline.Slot(begin: exchange.request.startedAt)
            slot.add(ExchangeFigures(exchange.records), end: exchange.end)
            timeline.add(slot)
            return true
        }
        return timeline
    }
}

extension ConnectionRecord {
    /// Whether the connection was open at a moment of that range.
    fileprivate func wasOpen(in range: TimeRange) -> Bool {
        if let until = range.until, openedAt >= until { return false }
        if let since = range.since, let closedAt, closedAt < since { return false }
        return true
    }
}
