/// A TCP connection by the kernel's own counters.
public struct ConnectionRecord: Hashable, Sendable {
    /// What TLS library and peer agreed on.
    public struct TLS: Hashable, Sendable {
        /// The version as the library names it, such as `TLSv1.3`; empty where it does not tell.
        public var version: String
        /// The cipher suite, such as `TLS_AES_256_GCM_SHA384`; empty where the library does not tell.
        public var cipher: String

        /// TLS of that version with that cipher suite.
        public init(version: String = "", cipher: String = "") {
            self.version = version
            self.cipher = cipher
        }
    }

    /// The connection.
    public var connection: ConnectionID
    /// The process that opened it.
    public var process: ProcessIdentity
    /// Our end, as `address:port`.
    public var localAddress: String
    /// The peer, as `address:port`.
    public var remoteAddress: String
    /// The protocol in the words of ALPN (RFC 7301), such as `http/1.1`, `h2`, `h2c`; empty while it is not known.
    public var applicationProtocol: String
    /// TLS, if there is any.
    public var tls: TLS?
    /// The network that it goes over; nil where the system does not report it.
    public var network: ConnectionNetwork?
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
    /// Segments sent, those without payload and those sent again among them; nil where the kernel does not tell.
    public var segmentsSent: Int64?
    /// Segments received, those without payload among them; nil where the kernel does not tell.
    public var segmentsReceived: Int64?
    /// Smoothed round-trip time in nanoseconds.
    public var roundTrip: Int64?
    /// What was carried, as the observer saw it.
    public var load: ConnectionLoad

    /// A connection with all its counters.
    public init(
        connection: ConnectionID, process: ProcessIdentity, localAddress: String, remoteAddress: String,
        applicationProtocol: String = "", tls: TLS? = nil, openedAt: Timestamp, closedAt: Timestamp? = nil,
        sent: ByteCount? = nil, received: ByteCount? = nil, retransmitted: ByteCount? = nil,
        segmentsSent: Int64? = nil, segmentsReceived: Int64? = nil, roundTrip: Int64? = nil,
        load: ConnectionLoad = ConnectionLoad(), network: ConnectionNetwork? = nil
    ) {
        self.connection = connection
        self.process = process
        self.localAddress = localAddress
        self.remoteAddress = remoteAddress
        self.applicationProtocol = applicationProtocol
        self.tls = tls
        self.openedAt = openedAt
        self.closedAt = closedAt
        self.sent = sent
        self.received = received
        self.retransmitted = retransmitted
        self.segmentsSent = segmentsSent
        self.segmentsReceived = segmentsReceived
        self.roundTrip = roundTrip
        self.load = load
        self.network = network
    }
}

/// What a connection carried, as seen above the kernel.
public struct ConnectionLoad: Hashable, Sendable {
    /// How many exchanges it has carried.
    public var exchanges: Int64
    /// The messages of all exchanges, those that still run among them.
    public var messages: ByteFlow
    /// The part of ``messages`` that went outside of TLS, such as a CONNECT to a proxy.
    public var clearMessages: ByteFlow
    /// HTTP/2's frames that belong to no message: the preface, settings, pings, window updates of the connection, and
    /// frames of streams that nobody meters or that were over.
    public var http2Control: ByteFlow
    /// What passed through TLS in the clear; nil where it could not be counted.
    public var plaintext: ByteFlow?
    /// What else it has carried, by the parts of ``ConnectionPart/rare``; most connections have none.
    public var parts: [ConnectionPart: ByteFlow]
    /// What followed a 101 that switched to WebSocket; nil where none did, or its frames could not be seen.
    public var webSocket: WebSocketLoad?

    /// A load of those parts.
    public init(
        exchanges: Int64 = 0, messages: ByteFlow = .zero, clearMessages: ByteFlow = .zero,
        http2Control: ByteFlow = .zero, plaintext: ByteFlow? = nil, parts: [ConnectionPart: ByteFlow] = [:],
        webSocket: WebSocketLoad? = nil
    ) {
        self.exchanges = exchanges
        self.messages = messages
        self.clearMessages = clearMessages
        self.http2Control = http2Control
        self.plaintext = plaintext
        self.parts = parts
        self.webSocket = webSocket
    }
}
