/// How an exchange ended.
public struct ExchangeEnd: Hashable, Sendable {
    /// The exchange that ended.
    public var exchange: ExchangeID
    /// When the exchange ended.
    public var endedAt: Timestamp
    /// How the exchange ended.
    public var outcome: Outcome
    /// The time of each phase.
    public var timings: ExchangeTimings
    /// The connection that carried it; nil if none was made.
    public var connection: ConnectionID?
    /// Whether an earlier exchange had opened the connection.
    public var reusedConnection: Bool
    /// The peer as `address:port`; empty if no connection was made.
    public var remoteAddress: String
    /// What the connection carried for this exchange in addition to its messages; nil if that is not known.
    public var share: ConnectionShare?
    /// The network of the connection, if the record comes from a store; nil if it is not known.
    public var network: ConnectionNetwork?
    /// The other leg, if a proxy passed the exchange on and the records are those of its device's leg.
    package var serverLeg: ServerLeg? {
        get { legs.first }
        set { legs = newValue.map { [$0] } ?? [] }
    }

    /// Whether there is another leg; without copying it.
    package var hasServerLeg: Bool { !legs.isEmpty }

    // An array, because a leg has an end, too, and because an end without one is then only a pointer larger.
    private var legs: [ServerLeg] = []

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

/// What a connection has carried since the previous exchange, in addition to the messages.
///
/// The exchange that opens a connection has the handshakes. Bytes that follow when no exchange is running, such as
/// TLS's alert at the close, belong to no exchange; they are in the ledger of the connection.
public struct ConnectionShare: Hashable, Sendable {
    /// TLS and HTTP/2's own frames.
    public var overhead: ByteFlow
    /// An estimate of the IP and TCP headers: those of the segments that the kernel counted, without options that few
    /// segments have.
    public var packetHeaders: ByteFlow

    /// A share with those bytes.
    public init(overhead: ByteFlow = .zero, packetHeaders: ByteFlow = .zero) {
        self.overhead = overhead
        self.packetHeaders = packetHeaders
    }

    /// The sum of two shares.
    public static func + (left: ConnectionShare, right: ConnectionShare) -> ConnectionShare {
        ConnectionShare(
            overhead: left.overhead + right.overhead, packetHeaders: left.packetHeaders + right.packetHeaders)
    }
}
