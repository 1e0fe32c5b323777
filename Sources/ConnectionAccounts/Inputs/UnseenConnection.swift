package import TrafficModel

/// A connection that is over, or open as its program ends, and whose messages were not seen.
package struct UnseenConnection: Sendable {
    /// The kernel's last count.
    package var socket: SocketCount
    package var reason: UnseenTraffic.Reason
    package var usesTLS: Bool
    package var isOpen: Bool
    package var direction: TrafficDirection
    /// When it was opened; monotonic, in nanoseconds.
    package var openedMonotonic: UInt64
    /// The host that the client named as TLS began; empty if it named none.
    package var serverName: String
    /// The first protocol that the client offered by ALPN (RFC 7301); empty if it offered none.
    package var offeredProtocol: String

    package init(
        socket: SocketCount, reason: UnseenTraffic.Reason, usesTLS: Bool, isOpen: Bool,
        direction: TrafficDirection = .called, openedMonotonic: UInt64, serverName: String,
        offeredProtocol: String
    ) {
        self.socket = socket
        self.reason = reason
        self.usesTLS = usesTLS
        self.isOpen = isOpen
        self.direction = direction
        self.openedMonotonic = openedMonotonic
        self.serverName = serverName
        self.offeredProtocol = offeredProtocol
    }
}
