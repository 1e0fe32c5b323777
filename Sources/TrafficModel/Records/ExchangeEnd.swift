/// How an exchange ended.
public struct ExchangeEnd: Hashable, Sendable {
    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// The response arrived whole.
        case completed
        /// It failed; the text says what the code means.
        ///
        /// Positive codes are libcurl's `CURLcode`, negative ones those of `NSURLErrorDomain`.
        case failed(code: Int, message: String)
        /// The program took the request back before it was done: a cancel, or a timeout of the program's own.
        case cancelled
        /// The time that the program had set was over.
        case timedOut
        /// The process, or the metering of it, ended before the exchange did.
        case abandoned

        /// The word for it in machine formats.
        public var name: String {
            switch self {
            case .completed: "completed"
            case .failed: "failed"
            case .cancelled: "cancelled"
            case .timedOut: "timedOut"
            case .abandoned: "abandoned"
            }
        }
    }

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

/// Where the time of an exchange went, in nanoseconds; nil where a phase did not happen or is not known.
public struct ExchangeTimings: Hashable, Sendable {
    /// From the program's call to the begin of the name lookup.
    public var queue: Int64?
    /// The name lookup.
    public var dns: Int64?
    /// The TCP handshake.
    public var connect: Int64?
    /// The TLS handshake.
    public var tls: Int64?
    /// From the first to the last byte of the request.
    public var send: Int64?
    /// From the last byte of the request to the first of the response.
    public var wait: Int64?
    /// From the first to the last byte of the response.
    public var receive: Int64?
    /// From the begin of the attempt to the end.
    public var total: Int64?

    /// Timings of which each may be missing.
    public init(
        queue: Int64? = nil, dns: Int64? = nil, connect: Int64? = nil, tls: Int64? = nil, send: Int64? = nil,
        wait: Int64? = nil, receive: Int64? = nil, total: Int64? = nil
    ) {
        self.queue = queue
        self.dns = dns
        self.connect = connect
        self.tls = tls
        self.send = send
        self.wait = wait
        self.receive = receive
        self.total = total
    }
}
