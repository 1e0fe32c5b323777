/// Queries for lists and pages, beyond those that adopters use.
///
/// The inspector, the audit and the command read a store through this. Each query has a default that reads everything;
/// a store has a faster one.
package protocol TrafficBrowsing: TrafficReading {
    /// The same as ``TrafficReading/forEachExchange(matching:order:after:_:)``, but without the kept bodies, which can
    /// be larger than all the rest.
    func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws

    /// The cursor before the newest `count` matching exchanges; nil if no more than `count` match.
    func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> StoredExchange.ID?

    /// The exchanges with those numbers, in that order, without the kept bodies; numbers without an exchange are left
    /// out.
    func heads(of ids: [StoredExchange.ID]) throws -> [StoredExchange]

    /// The newest `count` matching exchanges, the newest first: enough for a list that is in the order of time.
    func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment]

    /// The first part of ``newest(_:matching:)``, and what of the store is left to search.
    ///
    /// - Parameters:
    ///   - count: the most exchanges to find.
    ///   - filter: which exchanges.
    ///   - rest: where to search, as the part before left it; nil for everything.
    ///   - duration: how long to search; a part may take a little longer.
    /// - Returns: what was found, and what is left.
    /// - Throws: errors of the store.
    func newest(
        _ count: Int, matching filter: ExchangeFilter, in rest: ClosedRange<StoredExchange.ID>?, for duration: Duration
    ) throws -> FoundPart

    /// The connections with those numbers, in that order; numbers without a connection are left out.
    func connections(of ids: [StoredConnection.ID]) throws -> [StoredConnection]

    /// How many connections there are.
    func connectionCount() throws -> Int64

    /// The directions in which there was traffic in a range, `called` first; `called` alone if there was none.
    ///
    /// A connection counts even if none of its messages was seen.
    func directions(in range: TimeRange) throws -> [TrafficDirection]

    /// By what the devices are known that a proxy has served, in the order of their addresses and of the sources.
    func deviceNames() throws -> [DeviceName]

    /// How many installations of a fleet have sent a range's exchanges of a direction one by one; nil of a file.
    func detailCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> DetailCoverage?

    /// The installations of a fleet that are read together, of which there are no lists; nil of a file, and of one.
    func severalInstallations() throws -> SeveralInstallations?

    /// The requests of each group in equal slots of a range's time, of several installations.
    func requestsOverTime(
        by grouping: TrafficGrouping, of direction: TrafficDirection?, in range: TimeRange, slots: Int
    ) throws -> [TrafficTotal.Key: [Int64]]

    /// Visits the lookups of names one by one, in the order of their ends, until `body` returns false.
    func forEachLookup(order: ExchangeOrder, _ body: (LookupRecord) throws -> Bool) throws

    /// Whether the sums of a grouping come from the rows that are still kept.
    func countsRows(by grouping: TrafficGrouping) -> Bool

    /// Where exchanges come from, by one of ``TrafficGrouping/sourceCases``.
    func sources(by grouping: TrafficGrouping) throws -> ExchangeSources

    /// A value that changes with each write; cheap enough to read many times a second.
    func state() throws -> StoreState
}

extension TrafficBrowsing {
    /// The connections with those numbers, in that order; numbers without a connection are left out.
    package func connections(of ids: [StoredConnection.ID]) throws -> [StoredConnection] {
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

    /// None, in stores that keep none.
    package func deviceNames() throws -> [DeviceName] { [] }

    /// None: a file has the details of what it was asked to keep.
    package func detailCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> DetailCoverage? { nil }

    /// None: a file is of one installation.
    package func severalInstallations() throws -> SeveralInstallations? { nil }

    /// None, where exchanges can be counted one by one.
    package func requestsOverTime(
        by grouping: TrafficGrouping, of direction: TrafficDirection?, in range: TimeRange, slots: Int
    ) throws -> [TrafficTotal.Key: [Int64]] { [:] }

    /// None, in stores that keep none.
    package func forEachLookup(order: ExchangeOrder, _ body: (LookupRecord) throws -> Bool) throws {}

    /// As of a fleet, which has sums by most sources.
    package func countsRows(by grouping: TrafficGrouping) -> Bool { grouping.countsRows }

    /// None, in stores that do not say.
    package func sources(by grouping: TrafficGrouping) throws -> ExchangeSources { ExchangeSources() }

    /// The directions in which there was traffic at any time.
    package func directions() throws -> [TrafficDirection] { try directions(in: .always) }

    /// The directions in which there was traffic in a range, from the totals and the ledgers.
    package func directions(in range: TimeRange) throws -> [TrafficDirection] { try countedDirections(in: range) }

    /// The directions of the totals and the ledgers of a range; `called` if there are none.
    package func countedDirections(in range: TimeRange) throws -> [TrafficDirection] {
        let metered = Set(try totals(by: .direction, in: range).filter { $0.requests > 0 }.map(\.key.direction))
        let found = try TrafficDirection.allCases.filter {
            try metered.contains($0) || ledgerCoverage(of: $0, in: range) != LedgerCoverage()
        }
        return found.isEmpty ? [.called] : found
    }

    /// Visits the matching exchanges without the kept bodies.
    package func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        try forEachExchange(matching: filter, order: order, after: after) { exchange in
            var exchange = exchange
            exchange.request.capturedBody = nil
            exchange.response?.capturedBody = nil
            return try body(exchange)
        }
    }

    /// The exchanges with those numbers, in that order, without the kept bodies; numbers without an exchange are left
    /// out.
    package func heads(of ids: [StoredExchange.ID]) throws -> [StoredExchange] {
        try ids.compactMap { id in
            guard var exchange = try exchange(id) else { return nil }
            exchange.request.capturedBody = nil
            exchange.response?.capturedBody = nil
            return exchange
        }
    }

    /// The newest `count` matching exchanges, the newest first.
    package func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment] {
        var moments: [ExchangeMoment] = []
        try forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            guard moments.count < count else { return false }
            moments.append(
                ExchangeMoment(exchange: exchange.id, startedAt: exchange.request.startedAt))
            return true
        }
        return moments
    }

    /// All of the newest `count` matching exchanges at once.
    package func newest(
        _ count: Int, matching filter: ExchangeFilter, in rest: ClosedRange<StoredExchange.ID>?, for duration: Duration
    ) throws -> FoundPart {
        FoundPart(moments: try newest(count, matching: filter), searched: nil, rest: nil)
    }

    /// The cursor before the newest `count` matching exchanges; nil if no more than `count` match.
    package func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> StoredExchange.ID? {
        var left = count
        var start: StoredExchange.ID?
        try forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            if left <= 0 { start = exchange.id }
            left -= 1
            return start == nil
        }
        return start
    }
}

/// An exchange and the time at which it began.
package struct ExchangeMoment: Hashable, Sendable {
    /// The exchange.
    package var exchange: StoredExchange.ID
    /// When its request began.
    package var startedAt: Timestamp

    /// The moment of that exchange.
    package init(exchange: StoredExchange.ID, startedAt: Timestamp) {
        self.exchange = exchange
        self.startedAt = startedAt
    }
}

/// What a part of a search has found.
package struct FoundPart: Hashable, Sendable {
    /// The exchanges, the newest first.
    package var moments: [ExchangeMoment]
    /// The numbers of the exchanges that were to be searched; nil if there were none.
    package var searched: ClosedRange<StoredExchange.ID>?
    /// The numbers of those that are left; nil if all have been searched.
    package var rest: ClosedRange<StoredExchange.ID>?

    /// A part with those exchanges and those ranges.
    package init(
        moments: [ExchangeMoment], searched: ClosedRange<StoredExchange.ID>?, rest: ClosedRange<StoredExchange.ID>?
    ) {
        self.moments = moments
        self.searched = searched
        self.rest = rest
    }
}

/// A value by which a reader sees whether a store has changed.
package struct StoreState: Hashable, Sendable {
    /// SQLite's number that changes with each commit of another connection.
    package var changes: Int64
    /// How often the store was cleared.
    package var generation: Int64

    /// A state of these figures.
    package init(changes: Int64, generation: Int64) {
        self.changes = changes
        self.generation = generation
    }
}
