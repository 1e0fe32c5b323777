package import TrafficModel

/// A store that is made of values.
package struct FakeStore: TrafficBrowsing {
    package var groups: [TrafficGrouping: [TrafficTotal]] = [:]
    package var losses: [TrafficLoss] = []
    package var timeline = TrafficTimeline.none
    package var exchanges: [Exchange] = []
    package var connections: [ConnectionRecord] = []

    package init(
        groups: [TrafficGrouping: [TrafficTotal]] = [:], losses: [TrafficLoss] = [],
        timeline: TrafficTimeline = .none, exchanges: [Exchange] = [], connections: [ConnectionRecord] = []
    ) {
        self.groups = groups
        self.losses = losses
        self.timeline = timeline
        self.exchanges = exchanges
        self.connections = connections
    }

    package func totals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        groups[grouping] ?? []
    }
    package func forEachExchange(
        matching filter: ExchangeFilter, order: ExchangeOrder, after: ExchangeID?, _ body: (Exchange) throws -> Bool
    ) throws {
        for exchange in order == .oldestFirst ? exchanges : exchanges.reversed() {
            let id = exchange.request.exchange
            if let after, order == .oldestFirst ? id <= after : id >= after { continue }
            if let host = filter.host, !NamedHost(host).matches(exchange.request.authority) { continue }
            guard try body(exchange) else { return }
        }
    }
    package func exchange(_ id: ExchangeID) throws -> Exchange? { exchanges.first { $0.request.exchange == id } }
    package func forEachConnection(
        order: ExchangeOrder, after: ConnectionID?, _ body: (ConnectionRecord) throws -> Bool
    ) throws {
        for connection in order == .oldestFirst ? connections : connections.reversed() {
            let id = connection.connection.rawValue
            if let after, order == .oldestFirst ? id <= after.rawValue : id >= after.rawValue { continue }
            guard try body(connection) else { return }
        }
    }
    package func timeline(in range: TimeRange, limit: Int) throws -> TrafficTimeline { timeline }
    package func state() throws -> StoreState { StoreState(changes: 0, generation: 0) }
    package func overview() throws -> StoreOverview {
        StoreOverview(exchanges: 0, running: 0, firstSeen: nil, lastSeen: nil, losses: losses)
    }
}
