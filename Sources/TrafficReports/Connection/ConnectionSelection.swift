package import TrafficModel

/// Which connections to show, and in which order.
package struct ConnectionSelection: Sendable {
    /// What comes first.
    package enum Sort: String, Sendable, CaseIterable {
        /// The one that was opened first.
        case opened
        /// The one that was opened last.
        case recent
        /// The most payload in both directions.
        case bytes
        /// The most bytes of TLS and of HTTP/2's own frames.
        case overhead
        /// The most bytes that nothing accounts for.
        case unaccounted
        /// The most bytes that were sent again.
        case retransmitted
    }

    /// How many are read at once.
    private static let batch = 500

    /// To a peer that begins so.
    package var remote: String?
    /// Of this program.
    package var process: String?
    /// Only those that are open.
    package var isOpen = false
    /// Only those whose ledger does not close.
    package var isUnclosed = false
    /// What comes first.
    package var sort = Sort.opened

    /// All connections, oldest first.
    package init() {}

    /// Whether a connection is among them.
    package func matches(_ connection: ConnectionRecord) -> Bool {
        if let remote, !connection.remoteAddress.utf8.starts(with: remote.utf8),
            !AddressParts(connection.remoteAddress).address.utf8.starts(with: remote.utf8)
        {
            return false
        }
        if let process, connection.process.name != process { return false }
        if isOpen, connection.closedAt != nil { return false }
        if isUnclosed { return connection.ledger.map { !$0.isClosed } ?? false }
        return true
    }

    /// Hands over those that match, in order, until the body says stop.
    ///
    /// In memory are 16 bytes for each where the order is not the store's own, and nothing where it is.
    ///
    /// - Throws: what the store or the body throws.
    package func forEach(
        of store: any TrafficBrowsing, _ body: (ConnectionRecord) throws -> Bool
    ) throws {
        if sort == .opened || sort == .recent {
            let order = sort == .opened ? ExchangeOrder.oldestFirst : .newestFirst
            return try store.forEachConnection(order: order, after: nil) { connection in
                try !matches(connection) || body(connection)
            }
        }
        var weights: [(weight: Int64, connection: ConnectionID)] = []
        try store.forEachConnection(order: .oldestFirst, after: nil) { connection in
            if matches(connection) { weights.append((weight(of: connection), connection.connection)) }
            return true
        }
        weights.sort { ($1.weight, $0.connection.rawValue) < ($0.weight, $1.connection.rawValue) }
        for start in stride(from: 0, to: weights.count, by: Self.batch) {
            let ids = weights[start..<min(weights.count, start + Self.batch)].map(\.connection)
            // What has been let go of meanwhile is left out.
            for connection in try store.connections(of: ids) {
                guard try body(connection) else { return }
            }
        }
    }

    private func weight(of connection: ConnectionRecord) -> Int64 {
        let ledger = connection.ledger
        return switch sort {
        case .opened, .recent: 0
        case .bytes: ((connection.sent ?? .zero) + (connection.received ?? .zero)).bytes
        case .overhead: ledger.map { $0.up.overhead + $0.down.overhead } ?? -1
        case .unaccounted:
            ledger.map { (ByteCount($0.up.unaccounted.magnitude) + ByteCount($0.down.unaccounted.magnitude)).bytes }
                ?? -1
        case .retransmitted: connection.retransmitted?.bytes ?? -1
        }
    }
}
