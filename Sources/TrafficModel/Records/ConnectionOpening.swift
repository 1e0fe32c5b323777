/// How long a connection took until its server's first byte, in nanoseconds; nil if a part did not happen or is not known.
public struct ConnectionOpening: Hashable, Sendable {
    /// The lookup of the server's name, which came before the connection was opened.
    public var dns: Int64?
    /// The TCP handshake.
    public var connect: Int64?
    /// From then to the first byte of the server.
    public var firstByte: Int64?

    /// The times of an opening.
    public init(dns: Int64? = nil, connect: Int64? = nil, firstByte: Int64? = nil) {
        self.dns = dns
        self.connect = connect
        self.firstByte = firstByte
    }
}
