internal import Locks
package import TrafficModel

/// Numbers for exchanges and connections, unique among all observers that report to the same sink.
///
/// They are counted here, never taken from a frame.
package final class IdentifierSource: Sendable {
    private let exchanges: Atomic<Int64>
    private let connections: Atomic<Int64>

    /// Numbers that follow the given ones.
    package init(afterExchange exchange: Int64 = 0, connection: Int64 = 0) {
        exchanges = Atomic(exchange)
        connections = Atomic(connection)
    }

    // The numbers wrap around instead of overflowing: a meter that runs out of them must not end its program.

    package func nextExchange() -> ExchangeID {
        ExchangeID(exchanges.wrappingAdd(1, ordering: .relaxed).newValue)
    }

    package func nextConnection() -> ConnectionID {
        ConnectionID(connections.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}
