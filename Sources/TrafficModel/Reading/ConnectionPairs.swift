/// The connections of a store of which both ends were metered: one row is the client's, the other the server's.
///
/// The local end of one is the remote end of the other, and both were open at the same time.
package struct ConnectionPairs: Sendable {
    private struct Ends: Hashable {
        var client: String
        var server: String

        init(_ record: borrowing ConnectionRecord) {
            let local = Self.plain(record.localAddress)
            let remote = Self.plain(record.remoteAddress)
            client = record.direction == .called ? local : remote
            server = record.direction == .called ? remote : local
        }

        // A socket for IPv6 shows an address of IPv4 as `[::ffff:10.0.0.1]:80` (RFC 4291, section 2.5.5.2).
        private static func plain(_ address: String) -> String {
            let prefix = "[::ffff:"
            guard address.hasPrefix(prefix), address.contains(".") else { return address }
            var plain = address.dropFirst(prefix.count)
            if let bracket = plain.firstIndex(of: "]") { plain.remove(at: bracket) }
            return String(plain)
        }
    }

    private struct Life {
        var id: StoredConnection.ID
        var opened: Int64
        var closed: Int64

        init(_ connection: borrowing StoredConnection) {
            id = connection.id
            opened = connection.record.openedAt.nanoseconds
            closed = connection.record.closedAt?.nanoseconds ?? .max
        }

        // The ends see a connection open and close at slightly different times.
        func overlaps(_ other: Life) -> Bool {
            let slack: Int64 = 1_000_000_000
            return opened &- slack <= other.closed && other.opened &- slack <= closed
        }
    }

    /// The largest number of served connections that are compared; of more, none is paired.
    private static let most = 200_000
    private var others: [StoredConnection.ID: StoredConnection.ID] = [:]

    /// Finds the pairs of a store; a store in which nothing was served has none, and is not read.
    package init(of store: any TrafficBrowsing) throws {
        guard try store.directions().count > 1 else { return }
        var served: [Ends: [Life]] = [:]
        var count = 0
        try store.forEachConnection(order: .oldestFirst, after: nil) { connection in
            guard connection.direction == .served, !connection.localAddress.isEmpty else { return true }
            served[Ends(connection.record), default: []].append(Life(connection))
            count += 1
            return count <= Self.most
        }
        guard count <= Self.most else { return }
        try store.forEachConnection(order: .oldestFirst, after: nil) { connection in
            let life = Life(connection)
            guard connection.direction == .called, let candidates = served[Ends(connection.record)] else { return true }
            let free = candidates.filter { others[$0.id] == nil && $0.overlaps(life) }
            let nearest = free.min { abs($0.opened - life.opened) < abs($1.opened - life.opened) }
            if let nearest {
                others[connection.id] = nearest.id
                others[nearest.id] = connection.id
            }
            return true
        }
    }

    /// The row of the other end; nil if it is not in the store.
    package subscript(_ connection: StoredConnection.ID) -> StoredConnection.ID? { others[connection] }
}
