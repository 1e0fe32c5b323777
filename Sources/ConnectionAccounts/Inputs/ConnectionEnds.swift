/// The ends of a TCP connection, by which it is found: its local port, and the peer.
package struct ConnectionEnds: Hashable, Sendable {
    /// The local port; 0 if the connection is not known.
    package var localPort: UInt32
    package var remotePort: UInt32
    /// The peer's IP address.
    package var remoteAddress: String

    package init(localPort: UInt32, remotePort: UInt32, remoteAddress: String) {
        self.localPort = localPort
        self.remotePort = remotePort
        self.remoteAddress = remoteAddress
    }

    // A client has few connections with one local port, and a server has few with one remote port.
    package func hash(into hasher: inout Hasher) { hasher.combine(UInt64(localPort) << 32 | UInt64(remotePort)) }

    package var isKnown: Bool { localPort != 0 }

    /// The peer as `address:port`.
    package var remote: String { Self.text(remoteAddress, remotePort) }

    /// An end as `address:port`, with an IPv6 address in brackets (RFC 3986, section 3.2.2).
    static func text(_ address: String, _ port: UInt32) -> String {
        guard port != 0 else { return address }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
