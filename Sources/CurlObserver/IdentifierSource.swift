package import TrafficModel

/// Numbers for exchanges and connections: unique among all observers that tell the same sink.
///
/// They are counted here, and none is taken from a frame.
package final class IdentifierSource: Sendable {
    private let exchanges: Counter
    private let connections: Counter

    /// Numbers that follow those.
    package init(afterExchange exchange: Int64 = 0, connection: Int64 = 0) {
        exchanges = Counter(after: exchange)
        connections = Counter(after: connection)
    }

    package func nextExchange() -> ExchangeID { ExchangeID(exchanges.next()) }

    package func nextConnection() -> ConnectionID { ConnectionID(connections.next()) }
}
