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
    /// Whether no TLS has begun on it; false also if that is not known.
    package var lacksTLS: Bool
    /// Whether another protocol than HTTP has passed in a proxy's tunnel; false also if that is not known.
    package var isForeign: Bool
    /// Whether TLS has begun inside the TLS to a proxy that the observer cannot look into; false also if that is not known.
    package var hidesMessages: Bool

    package init(
        ends: ConnectionEnds, localAddress: String, kernel: KernelCount, plaintext: PlaintextCount?,
        prelude: ConnectionPrelude, webSocket: WebSocketCount?, handshake: TLSHandshake? = nil, lacksTLS: Bool = false,
        isForeign: Bool = false, hidesMessages: Bool = false
    ) {
        self.ends = ends
        self.localAddress = localAddress
        self.kernel = kernel
        self.plaintext = plaintext
        self.prelude = prelude
        self.webSocket = webSocket
        self.handshake = handshake
        self.lacksTLS = lacksTLS
        self.isForeign = isForeign
        self.hidesMessages = hidesMessages
    }
}
