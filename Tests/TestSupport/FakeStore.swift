package import TrafficModel

/// A store with the values that a test gives it.
package struct FakeStore: TrafficBrowsing {
    package var groups: [TrafficGrouping: [TrafficTotal]] = [:]
    package var losses: [TrafficLoss] = []
    package var timeline = TrafficTimeline.none
    package var exchanges: [StoredExchange] = []
    package var connections: [StoredConnection] = []
    package var details: DetailCoverage?

    package init(
        groups: [TrafficGrouping: [TrafficTotal]] = [:], losses: [TrafficLoss] = [],
        timeline: TrafficTimeline = .none, exchanges: [Exchange] = [], connections: [ConnectionRecord] = []
    ) {
        self.groups = groups
        self.losses = losses
        self.timeline = timeline
        self.exchanges = exchanges.map { StoredExchange($0) }
        self.connections = connections.map { StoredConnection($0) }
    }

    package func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        groups[grouping] ?? []
    }
    package func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: StoredExchange.ID?,
        _ body: (StoredExchange) throws -> Bool
    ) throws {
        for exchange in order == .oldestFirst ? exchanges : exchanges.reversed() {
            let id = exchange.id
            if let after, order == .oldestFirst ? id <= after : id >= after { continue }
            if let host = filter.host, !NamedHost(host).matches(exchange.request.authority) { continue }
            if let connection = filter.connection, exchange.connection != connection { continue }
            if let direction = filter.direction, exchange.request.direction != direction { continue }
            guard try body(exchange) else { return }
        }
    }
    package func exchange(_ id: StoredExchange.ID) throws -> StoredExchange? { exchanges.first { $0.id == id } }
    package func forEachConnection(
        order: ExchangeOrder, after: StoredConnection.ID?, _ body: (StoredConnection) throws -> Bool
    ) throws {
        for connection in order == .oldestFirst ? connections : connections.reversed() {
            let id = connection.id.rawValue
            if let after, order == .oldestFirst ? id <= after.rawValue : id >= after.rawValue { continue }
            guard try body(connection) else { return }
        }
    }
    package func timeline(
        of direction: TrafficDirection, in range: TimeRange, limit: Int
    ) throws -> TrafficTimeline { timeline }
    package func detailCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> DetailCoverage? {
        details
    }
    package func state() throws -> StoreState { StoreState(changes: 0, generation: 0) }
    package func overview() throws -> StoreOverview {
        StoreOverview(exchanges: 0, running: 0, firstSeen: nil, lastSeen: nil, losses: losses)
    }
}
