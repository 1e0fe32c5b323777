/// A TCP connection, with the kernel's own counters.
public struct ConnectionRecord: Hashable, Sendable {
    /// The TLS version and cipher suite that the two ends agreed on.
    public struct TLS: Hashable, Sendable {
        /// The version as the library names it, such as `TLSv1.3`; empty if the library does not report it.
        public var version: String
        /// The cipher suite, such as `TLS_AES_256_GCM_SHA384`; empty if the library does not report it.
        public var cipher: String

        /// TLS of that version with that cipher suite.
        public init(version: String = "", cipher: String = "") {
            self.version = version
            self.cipher = cipher
        }
    }

    /// The connection's number.
    public var connection: ConnectionID
    /// The metered process: the one that opened it, or, if the direction is ``TrafficDirection/served``, the one that
    /// accepted it.
    public var process: ProcessIdentity
    /// Whether the metered program opened the connection as a client or accepted it as a server.
    public var direction: TrafficDirection
    /// The local end, as `address:port`.
    public var localAddress: String
    /// The peer, as `address:port`.
    public var remoteAddress: String
    /// The protocol by its ALPN name (RFC 7301), such as `http/1.1`, `h2`, `h2c`; empty until it is known.
    public var applicationProtocol: String
    /// The TLS session; nil if there is none.
    public var tls: TLS?
    /// The network that it goes over; nil if the system does not report it.
    public var network: ConnectionNetwork?
    /// When the first exchange on it began.
    public var openedAt: Timestamp
    /// When it was closed; nil while it is open.
    public var closedAt: Timestamp?
    /// Payload bytes from the client to the server, without retransmissions; nil if the kernel does not report them.
    ///
    /// The kernel of a client sent them; a server read them from its kernel, as for ``payloadDown``.
    public var payloadUp: ByteCount?
    /// Payload bytes from the server to the client; nil if the kernel does not report them.
    ///
    /// A client read them from its kernel, without the FIN and bytes that were left unread; the kernel of a server sent
    /// them.
    public var payloadDown: ByteCount?
    /// Payload bytes that the kernel of the metered end sent again; nil if it does not report them.
    public var retransmitted: ByteCount?
    /// Segments from the client to the server, including those without payload and those sent again; nil if the kernel
    /// does not report them.
    public var segmentsUp: Int64?
    /// Segments from the server to the client, including those without payload; nil if the kernel does not report them.
    public var segmentsDown: Int64?
    /// Smoothed round-trip time in nanoseconds; nil if the kernel does not report it.
    public var roundTrip: Int64?
    /// What the connection carried, as the observer saw it.
    public var load: ConnectionLoad
    /// Why its messages were not seen, or those that followed a CONNECT; nil if all were.
    public var unseen: UnseenTraffic?
    /// What both ends said in the clear as TLS began, of their own or in a tunnel; nil if it was not seen.
    public var handshake: TLSHandshake?
    /// How long it took to open it, if its messages were not seen; otherwise the first exchange has these times.
    public var opening: ConnectionOpening?

    /// A connection with all its counters.
    public init(
        connection: ConnectionID, process: ProcessIdentity, localAddress: String, remoteAddress: String,
        applicationProtocol: String = "", tls: TLS? = nil, openedAt: Timestamp, closedAt: Timestamp? = nil,
        payloadUp: ByteCount? = nil, payloadDown: ByteCount? = nil, retransmitted: ByteCount? = nil,
        segmentsUp: Int64? = nil, segmentsDown: Int64? = nil, roundTrip: Int64? = nil,
        load: ConnectionLoad = ConnectionLoad(), network: ConnectionNetwork? = nil, unseen: UnseenTraffic? = nil,
        direction: TrafficDirection = .called, handshake: TLSHandshake? = nil, opening: ConnectionOpening? = nil
    ) {
        self.connection = connection
        self.process = process
        self.localAddress = localAddress
        self.remoteAddress = remoteAddress
        self.applicationProtocol = applicationProtocol
        self.tls = tls
        self.openedAt = openedAt
        self.closedAt = closedAt
        self.payloadUp = payloadUp
        self.payloadDown = payloadDown
        self.retransmitted = retransmitted
        self.segmentsUp = segmentsUp
        self.segmentsDown = segmentsDown
        self.roundTrip = roundTrip
        self.load = load
        self.network = network
        self.unseen = unseen
        self.direction = direction
        self.handshake = handshake
        self.opening = opening
    }
}

/// What a connection carried, as the observer saw it above the kernel.
public struct ConnectionLoad: Hashable, Sendable {
    /// How many exchanges the connection has carried.
    public var exchanges: Int64
    /// The messages of all exchanges, including those that are still running.
    public var messages: ByteFlow
    /// The part of ``messages`` that was sent outside TLS, such as a CONNECT to a proxy.
    public var clearMessages: ByteFlow
    /// HTTP/2's frames that belong to no message: the preface, settings, pings, window updates of the connection, and
    /// frames of streams that are not metered or were already closed.
    public var http2Control: ByteFlow
    /// The bytes before encryption and after decryption; nil if they could not be counted.
    public var plaintext: ByteFlow?
    /// Bytes of the rarer parts, by the members of ``ConnectionPart/rare``; most connections have none.
    public var parts: [ConnectionPart: ByteFlow]
    /// The WebSocket frames after a 101; nil if there was no switch to WebSocket, or its frames could not be seen.
    public var webSocket: WebSocketLoad?

    /// A load of these parts.
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
