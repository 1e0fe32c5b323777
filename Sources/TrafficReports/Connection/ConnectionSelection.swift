internal import TextFormats
package import TrafficModel

/// Selects connections, and decides their order.
package struct ConnectionSelection: Sendable {
    /// The order of the connections.
    package enum Sort: String, Sendable, CaseIterable {
        /// By the time of opening, the earliest first.
        case opened
        /// By the time of opening, the latest first.
        case recent
        /// The most payload, both directions together.
        case bytes
        /// The most bytes of TLS and of HTTP/2's own frames.
        case overhead
        /// The most bytes that nothing accounts for.
        case unaccounted
        /// The most retransmitted bytes.
        case retransmitted
    }

    /// The number of connections that are read at once.
    private static let batch = 500

    /// The start of the peer's address; nil for any peer.
    package var remote: String?
    /// The program's name; nil for any.
    package var process: String?
    /// Whether only connections that were called match, or that were served; nil for both.
    package var direction: TrafficDirection?
    /// Whether only open connections match.
    package var isOpen = false
    /// Whether only connections match whose ledger does not add up.
    package var isUnclosed = false
    /// The order of the connections.
    package var sort = Sort.opened

    /// Selects all connections, oldest first.
    package init() {}

    /// Whether a connection is selected.
    package func matches(_ connection: StoredConnection) -> Bool {
        if let remote, !connection.remoteAddress.utf8.starts(with: remote.utf8),
            !AddressParts(connection.remoteAddress).address.utf8.starts(with: remote.utf8)
        {
            return false
        }
        if let direction, connection.direction != direction { return false }
        if let process, connection.process.name != process { return false }
        if isOpen, connection.closedAt != nil { return false }
        if isUnclosed { return connection.ledger.map { !$0.isClosed } ?? false }
        return true
    }

    /// Passes the selected connections to the body, in order, until it stops.
    ///
    /// If the order is not the store's own, this takes 16 bytes of memory for each connection; otherwise none.
    ///
    /// - Throws: errors of the store and of the body.
    package func forEach(
        of store: any TrafficBrowsing, _ body: (StoredConnection) throws -> Bool
    ) throws {
        if sort == .opened || sort == .recent {
            let order = sort == .opened ? ExchangeOrder.oldestFirst : .newestFirst
            return try store.forEachConnection(order: order, after: nil) { connection in
                try !matches(connection) || body(connection)
            }
        }
        var weights: [(weight: Int64, connection: StoredConnection.ID)] = []
        try store.forEachConnection(order: .oldestFirst, after: nil) { connection in
            if matches(connection) { weights.append((weight(of: connection), connection.id)) }
            return true
        }
        weights.sort { ($1.weight, $0.connection.rawValue) < ($0.weight, $1.connection.rawValue) }
        for start in stride(from: 0, to: weights.count, by: Self.batch) {
            let ids = weights[start..<min(weights.count, start + Self.batch)].map(\.connection)
            // Connections that were deleted meanwhile are left out.
            for connection in try store.connections(of: ids) {
                guard try body(connection) else { return }
            }
        }
    }

    private func weight(of connection: StoredConnection) -> Int64 {
        let ledger = connection.ledger
        return switch sort {
        case .opened, .recent: 0
        case .bytes: ((connection.payloadUp ?? .zero) + (connection.payloadDown ?? .zero)).bytes
        case .overhead: ledger.map { $0.up.overhead + $0.down.overhead } ?? -1
        case .unaccounted:
            ledger.map { (ByteCount($0.up.unaccounted.magnitude) + ByteCount($0.down.unaccounted.magnitude)).bytes }
                ?? -1
        case .retransmitted: connection.retransmitted?.bytes ?? -1
        }
    }
}
