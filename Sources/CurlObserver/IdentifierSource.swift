package import TrafficModel

/// Numbers for exchanges and connections: unique among all observers that tell the same sink.
package final class IdentifierSource: Sendable {
    private let exchanges = Counter()
    private let connections = Counter()

    package init() {}

    package func nextExchange() -> ExchangeID { ExchangeID(exchanges.next()) }

    package func nextConnection() -> ConnectionID { ConnectionID(connections.next()) }
}
