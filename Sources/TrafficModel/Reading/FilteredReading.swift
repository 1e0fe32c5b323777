/// A store as if it had only the exchanges that a filter selects.
///
/// Sums by API are sums of everything that was metered, so a filter that names APIs alone selects among them. What any
/// other filter selects is added up from the rows that are kept.
package struct FilteredReading: TrafficBrowsing {
    private let filter: FilterExpression
    private let store: any TrafficBrowsing
    private let countsRows: Bool

    /// A view of that store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - filter: what is selected.
    ///   - countsRows: whether all sums are added up from the rows, so that no range is widened to whole minutes.
    package init(_ store: any TrafficBrowsing, _ filter: FilterExpression, countsRows: Bool = false) {
        self.store = store
        self.filter = filter
        self.countsRows = countsRows
    }

    /// What the totals of a grouping count.
    package func selection(by grouping: TrafficGrouping) throws -> FilteredSelection {
        let countsRows = countsRows(by: grouping)
        return FilteredSelection(
            filter: filter, countsRows: countsRows, keptSince: countsRows ? try keptSince() : nil)
    }

    /// Whether the sums of a grouping come from the rows, which depends on the filter.
    package func countsRows(by grouping: TrafficGrouping) -> Bool {
        countsRows || ![.api, .host, .method, .direction].contains(grouping) || !filter.terms.allSatisfy(\.isAboutAPI)
    }

    private func keptSince() throws -> Timestamp? {
        var since: Timestamp?
        try store.forEachHead(matching: ExchangeFilter(), order: .oldestFirst, after: nil) {
            since = $0.request.startedAt
            return false
        }
        return since
    }

    package func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        var sums: [TrafficTotal.Key: TrafficSums] = [:]
        if countsRows(by: grouping) {
            let sources = TrafficGrouping.sourceCases.contains(grouping) ? try store.sources(by: grouping) : nil
            try forEachHead(matching: filter(in: range), order: .oldestFirst, after: nil) { exchange in
                var key = exchange.key(by: grouping)
                if let sources {
                    key = TrafficTotal.Key(
                        source: sources.name(of: exchange.id.rawValue), direction: exchange.request.direction)
                }
                sums[key, default: TrafficSums()].add(exchange.records)
                return true
            }
        } else {
            for total in try store.totals(by: .api, in: range) where filter.terms.allSatisfy({ $0.matches(total.key) })
            {
                sums[total.key.regrouped(by: grouping), default: TrafficSums()].merge(total.sums)
            }
        }
        return sums.map { TrafficTotal(key: $0.key, sums: $0.value) }
    }

    /// The traffic of a range over time, from the rows that are kept; its slots are those of all traffic.
    package func timeline(
        of direction: TrafficDirection, in range: TimeRange, limit: Int
    ) throws -> TrafficTimeline {
        let whole = try store.timeline(of: direction, in: range, limit: limit)
        guard let first = whole.slots.first, let last = whole.slots.last else { return .none }
        var timeline = TrafficTimeline(from: first.begin, to: last.begin, limit: limit)
        var filter = filter(in: range)
        filter.direction = direction
        try forEachHead(matching: filter, order: .oldestFirst, after: nil) { exchange in
            var slot = TrafficTimeline.Slot(begin: exchange.request.startedAt)
            slot.add(ExchangeFigures(exchange.records), end: exchange.end)
            timeline.add(slot)
            return true
        }
        return timeline
    }

    package func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        try store.forEachExchange(matching: and(filter), order: order, after: after, body)
    }

    package func forEachHead(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        try store.forEachHead(matching: and(filter), order: order, after: after, body)
    }

    package func start(ofNewest count: Int, matching filter: ExchangeFilter) throws -> StoredExchange.ID? {
        try store.start(ofNewest: count, matching: and(filter))
    }

    package func newest(_ count: Int, matching filter: ExchangeFilter) throws -> [ExchangeMoment] {
        try store.newest(count, matching: and(filter))
    }

    package func newest(
        _ count: Int, matching filter: ExchangeFilter, in rest: ClosedRange<StoredExchange.ID>?, for duration: Duration
    ) throws -> FoundPart {
        try store.newest(count, matching: and(filter), in: rest, for: duration)
    }

    package func heads(of ids: [StoredExchange.ID]) throws -> [StoredExchange] { try store.heads(of: ids) }

    package func exchange(_ id: StoredExchange.ID) throws -> StoredExchange? { try store.exchange(id) }

    package func forEachConnection(
        order: ExchangeOrder, after: StoredConnection.ID?, _ body: (StoredConnection) throws -> Bool
    ) throws {
        try store.forEachConnection(order: order, after: after, body)
    }

    package func connection(_ id: StoredConnection.ID) throws -> StoredConnection? { try store.connection(id) }

    package func sources(by grouping: TrafficGrouping) throws -> ExchangeSources {
        try store.sources(by: grouping)
    }

    package func deviceNames() throws -> [DeviceName] { try store.deviceNames() }

    package func forEachLookup(order: ExchangeOrder, _ body: (LookupRecord) throws -> Bool) throws {
        try store.forEachLookup(order: order, body)
    }

    /// None: the ledger of a connection is of all its exchanges.
    package func ledgerCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> LedgerCoverage {
        LedgerCoverage()
    }

    package func directions(in range: TimeRange) throws -> [TrafficDirection] { try store.directions(in: range) }

    package func detailCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> DetailCoverage? {
        try store.detailCoverage(of: direction, in: range)
    }

    package func severalInstallations() throws -> SeveralInstallations? { try store.severalInstallations() }

    package func losses() throws -> [TrafficLoss] { try store.losses() }

    package func overview() throws -> StoreOverview { try store.overview() }

    package func state() throws -> StoreState { try store.state() }

    private func filter(in range: TimeRange) -> ExchangeFilter {
        var filter = ExchangeFilter()
        filter.range = range
        return filter
    }

    private func and(_ filter: ExchangeFilter) -> ExchangeFilter {
        var filter = filter
        filter.expression.terms += self.filter.terms
        return filter
    }
}

/// Which exchanges count, if not all of them do.
package struct FilteredSelection: Hashable, Sendable {
    /// The filter.
    package let filter: FilterExpression
    /// Whether only those count whose rows are kept.
    package let countsRows: Bool
    /// When the oldest exchange began whose row is kept; nil if there is none, or if that does not matter.
    package let keptSince: Timestamp?
}

extension StoredExchange {
    /// The name of the group that it belongs to.
    package func key(by grouping: TrafficGrouping) -> TrafficTotal.Key {
        let direction = request.direction
        return switch grouping {
        case .path:
            TrafficTotal.Key(
                method: request.method, host: request.authority, path: request.path, direction: direction)
        case .status: TrafficTotal.Key(status: response?.status ?? 0, direction: direction)
        case .type: TrafficTotal.Key(contentType: response?.contentType ?? "", direction: direction)
        case .process, .device: TrafficTotal.Key(process: request.process.name, direction: direction)
        case .network: TrafficTotal.Key(network: end?.network?.name ?? "", direction: direction)
        default: request.apiKey.regrouped(by: grouping)
        }
    }
}

extension TrafficTotal.Key {
    /// The group of the API with this name, by a part of the name.
    fileprivate func regrouped(by grouping: TrafficGrouping) -> TrafficTotal.Key {
        switch grouping {
        case .host: TrafficTotal.Key(host: host, direction: direction)
        case .method: TrafficTotal.Key(method: method, direction: direction)
        case .direction: TrafficTotal.Key(direction: direction)
        default: self
        }
    }
}
