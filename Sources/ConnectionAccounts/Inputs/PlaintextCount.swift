internal import TrafficModel

/// The plaintext that passed through a connection's TLS, in bytes.
package struct PlaintextCount: Sendable {
    package var sent: Int64
    package var received: Int64
    /// The same for TLS to a proxy, if this one goes through it.
    package var proxy: (sent: Int64, received: Int64)?

    package init(sent: Int64, received: Int64, proxy: (sent: Int64, received: Int64)? = nil) {
        self.sent = sent
        self.received = received
        self.proxy = proxy
    }

    /// The same from the client to the server and back.
    func flow(_ direction: TrafficDirection) -> ByteFlow {
        switch direction {
        case .called: ByteFlow(up: ByteCount(sent), down: ByteCount(received))
        case .served: ByteFlow(up: ByteCount(received), down: ByteCount(sent))
        }
    }
}
