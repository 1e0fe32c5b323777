/// The bytes of a connection before its first message, and before TLS.
package struct ConnectionPrelude: Sendable {
    /// Bytes of the SOCKS protocol (RFC 1928).
    package var socks: (sent: Int64, received: Int64)
    /// Bytes of the line by which the PROXY protocol names the client.
    package var proxyLine: Int64
    /// Whether TLS follows, not a message.
    package var beginsTLS: Bool

    package init(socks: (sent: Int64, received: Int64), proxyLine: Int64, beginsTLS: Bool) {
        self.socks = socks
        self.proxyLine = proxyLine
        self.beginsTLS = beginsTLS
    }
}
