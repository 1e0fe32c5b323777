/// How an exchange ended.
public struct ExchangeEnd: Hashable, Sendable {
    /// The exchange.
    public var exchange: ExchangeID
    /// When it was over.
    public var endedAt: Timestamp
    /// What came of it.
    public var outcome: Outcome
    /// Where the time went.
    public var timings: ExchangeTimings
    /// The connection that carried it; nil where none was made.
    public var connection: ConnectionID?
    /// Whether an earlier exchange had opened the connection.
    public var reusedConnection: Bool
    /// The peer as `address:port`; empty where no connection was made.
    public var remoteAddress: String
    /// What the connection carried for it beside its messages; nil where that is not known.
    public var share: ConnectionShare?
    /// The network that its connection goes over, in what a store gives; nil where it is not known.
    public var network: ConnectionNetwork?

    /// An end with all its parts.
    public init(
        exchange: ExchangeID, endedAt: Timestamp, outcome: Outcome, timings: ExchangeTimings,
        connection: ConnectionID? = nil, reusedConnection: Bool = false, remoteAddress: String = "",
        share: ConnectionShare? = nil
    ) {
        self.exchange = exchange
        self.endedAt = endedAt
        self.outcome = outcome
        self.timings = timings
        self.connection = connection
        self.reusedConnection = reusedConnection
        self.remoteAddress = remoteAddress
        self.share = share
    }
}

/// What a connection has carried since the exchange before, beside the messages.
///
/// The exchange that opens a connection has the handshakes. What follows when none runs any more, such as TLS's alert at
/// the close, belongs to none: the ledger of the connection has it.
public struct ConnectionShare: Hashable, Sendable {
    /// TLS and HTTP/2's own frames.
    public var overhead: ByteFlow
    /// An estimate of the headers of IP and TCP: those of the segments that the kernel counted, without options that
    /// few segments have.
    public var packetHeaders: ByteFlow

    /// A share of those bytes.
    public init(overhead: ByteFlow = .zero, packetHeaders: ByteFlow = .zero) {
        self.overhead = overhead
        self.packetHeaders = packetHeaders
    }

    /// Both shares together.
    public static func + (left: ConnectionShare, right: ConnectionShare) -> ConnectionShare {
        ConnectionShare(
            overhead: left.overhead + right.overhead, packetHeaders: left.packetHeaders + right.packetHeaders)
    }
}
