/// A TCP connection by the kernel's own counters.
public struct ConnectionRecord: Hashable, Sendable {
    /// The connection.
    public var connection: ConnectionID
    /// The process that opened it.
    public var process: ProcessIdentity
    /// Our end, as `address:port`.
    public var localAddress: String
    /// The peer, as `address:port`.
    public var remoteAddress: String
    /// When the first exchange on it began.
    public var openedAt: Timestamp
    /// When it was closed; nil while it is open.
    public var closedAt: Timestamp?
    /// Payload bytes that the kernel sent, retransmissions taken out; nil where the kernel does not tell.
    public var sent: ByteCount?
    /// Payload bytes that the program took from the kernel, the FIN and what lay unread taken out; nil where the
    /// kernel does not tell.
    public var received: ByteCount?
    /// Bytes sent again.
    public var retransmitted: ByteCount?
    /// Smoothed round-trip time in nanoseconds.
    public var roundTrip: Int64?

    /// A connection with all its counters.
    public init(
        connection: ConnectionID, process: ProcessIdentity, localAddress: String, remoteAddress: String,
        openedAt: Timestamp, closedAt: Timestamp? = nil, sent: ByteCount? = nil, received: ByteCount? = nil,
        retransmitted: ByteCount? = nil, roundTrip: Int64? = nil
    ) {
        self.connection = connection
        self.process = process
        self.localAddress = localAddress
        self.remoteAddress = remoteAddress
        self.openedAt = openedAt
        self.closedAt = closedAt
        self.sent = sent
        self.received = received
        self.retransmitted = retransmitted
        self.roundTrip = roundTrip
    }
}
