package import TrafficModel

/// The counters of a socket, read when its program closes it or ends.
package struct SocketCount: Sendable {
    package var ends: ConnectionEnds
    package var localAddress: String
    package var kernel: KernelCount
    package var plaintext: PlaintextCount?
    package var prelude: ConnectionPrelude
    /// The frames after a 101 that switches to WebSocket; nil if there was none, or if they were not seen.
    package var webSocket: WebSocketCount?
    /// What was in the clear as TLS began; nil if there was none, or if it was not seen.
    package var handshake: TLSHandshake?

    package init(
        ends: ConnectionEnds, localAddress: String, kernel: KernelCount, plaintext: PlaintextCount?,
        prelude: ConnectionPrelude, webSocket: WebSocketCount?, handshake: TLSHandshake? = nil
    ) {
        self.ends = ends
        self.localAddress = localAddress
        self.kernel = kernel
        self.plaintext = plaintext
        self.prelude = prelude
        self.webSocket = webSocket
        self.handshake = handshake
    }
}
