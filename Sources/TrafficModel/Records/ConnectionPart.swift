/// A purpose of bytes on a connection.
///
/// The parts of a ledger add up to its payload. Later versions may add parts.
public struct ConnectionPart: Hashable, Sendable {
    /// The name in machine formats.
    public let name: String

    private init(_ name: String) { self.name = name }

    /// Requests and responses.
    public static let messages = ConnectionPart("messages")
    /// TLS records' headers, padding and tags, handshakes and alerts.
    public static let tls = ConnectionPart("tlsOverhead")
    /// HTTP/2's frames that belong to no message.
    public static let http2 = ConnectionPart("http2Overhead")
    /// The handshake with a SOCKS proxy (RFC 1928; SOCKS 4 and 4a).
    public static let socks = ConnectionPart("socksOverhead")
    /// The line or block of the PROXY protocol, which precedes everything else.
    public static let proxyProtocol = ConnectionPart("proxyProtocolOverhead")
    /// TLS to an HTTPS proxy, which encloses everything else.
    public static let proxyTLS = ConnectionPart("proxyTLSOverhead")
    /// Frame headers and masking keys of WebSocket after a 101 (RFC 6455, section 5.2).
    public static let webSocket = ConnectionPart("websocketOverhead")
    /// Payload of WebSocket frames after a 101, including control frames, as sent: masked, perhaps compressed.
    public static let webSocketPayload = ConnectionPart("websocketPayload")
    /// Bytes that the two ends exchanged after leaving HTTP, and that Wireweight does not parse: another protocol after
    /// a 101 or in a tunnel, or bytes that the program sent itself.
    public static let upgraded = ConnectionPart("upgraded")
    /// Bytes that followed the end of a response and belong to none: a body after HEAD, a 204 or a 304, or more bytes
    /// than Content-Length announced.
    public static let afterMessage = ConnectionPart("afterMessage")
    /// Bytes of a connection whose messages could not be seen; ``ConnectionRecord/unseen`` has the reason.
    public static let unseen = ConnectionPart("unseen")
    /// The rest, which no other part explains.
    public static let unaccounted = ConnectionPart("unaccounted")

    /// All parts, in the order of a ledger.
    public static let all = [messages, tls, http2] + rare + [unaccounted]

    /// The parts that ``ConnectionLoad/parts`` may hold: those that few connections have.
    public static let rare = [
        socks, proxyProtocol, proxyTLS, webSocket, webSocketPayload, upgraded, afterMessage, unseen,
    ]

    /// Whether a protocol adds these bytes to what it carries.
    public var isOverhead: Bool {
        self == .tls || self == .http2 || self == .socks || self == .proxyProtocol || self == .proxyTLS
            || self == .webSocket
    }

    /// Whether these bytes are outside TLS if the connection has any.
    var isOutsideTLS: Bool { self == .socks || self == .proxyProtocol || self == .proxyTLS }
}
