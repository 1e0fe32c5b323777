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
    /// How long it took to open it; nil if the program has accepted it.
    package var opening: ConnectionOpening?

    package init(
        socket: SocketCount, reason: UnseenTraffic.Reason, usesTLS: Bool, isOpen: Bool,
        direction: TrafficDirection = .called, openedMonotonic: UInt64, opening: ConnectionOpening? = nil
    ) {
        self.socket = socket
        self.reason = reason
        self.usesTLS = usesTLS
        self.isOpen = isOpen
        self.direction = direction
        self.openedMonotonic = openedMonotonic
        self.opening = opening
    }
}
