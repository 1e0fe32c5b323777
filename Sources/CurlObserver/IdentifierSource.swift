package import TrafficModel

/// Numbers for exchanges and connections, unique among all observers that report to the same sink.
///
/// They are counted here, never taken from a frame.
package final class IdentifierSource: Sendable {
    private let exchanges: Counter
    private let connections: Counter

    /// Numbers that follow the given ones.
    package init(afterExchange exchange: Int64 = 0, connection: Int64 = 0) {
        exchanges = Counter(after: exchange)
        connections = Counter(after: connection)
    }

    package func nextExchange() -> ExchangeID { ExchangeID(exchanges.next()) }

    package func nextConnection() -> ConnectionID { ConnectionID(connections.next()) }
}
