internal import TrafficModel

/// Closed connections that carried bytes, but never a request, such as failed handshakes.
///
/// The transfer of such a connection ends next, and only that shows whether it was to carry HTTP.
struct UnusedConnections {
    private static let most = 64

    private var closedSockets: [(socket: SocketCount, closedAt: Timestamp)] = []

    mutating func add(_ socket: SocketCount, closedAt time: Timestamp) {
        guard socket.kernel.sent > 0 || socket.kernel.received > 0 else { return }
        if closedSockets.count >= Self.most { closedSockets.removeFirst(Self.most / 2) }
        closedSockets.append((socket, time))
    }

    /// Removes and returns the newest one with those ends that was closed after `openedAt`.
    mutating func take(_ ends: ConnectionEnds, openedAt: Timestamp) -> (socket: SocketCount, closedAt: Timestamp)? {
        let place = closedSockets.lastIndex {
            // A connection that was closed before the transfer began belongs to another one.
            guard $0.closedAt >= openedAt else { return false }
            if ends.isKnown { return $0.socket.ends.localPort == ends.localPort }
            // After a reset the kernel has forgotten the peer, and a refused transfer has none: two unknown peers do
            // not match.
            return ends.remotePort != 0 && $0.socket.ends.remotePort == ends.remotePort
                && $0.socket.ends.remoteAddress == ends.remoteAddress
        }
        return place.map { closedSockets.remove(at: $0) }
    }
}
