/// What bytes of a connection are.
///
/// The parts of a ledger add up to its payload. More parts may come.
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
    /// The line or the block of the PROXY protocol that goes before everything else.
    public static let proxyProtocol = ConnectionPart("proxyProtocolOverhead")
    /// TLS to an HTTPS proxy, around all else.
    public static let proxyTLS = ConnectionPart("proxyTLSOverhead")
    /// Frame headers and masking keys of WebSocket after a 101 (RFC 6455, section 5.2).
    public static let webSocket = ConnectionPart("websocketOverhead")
    /// What WebSocket's frames carried after a 101, control frames among them, as it was sent: masked, perhaps compressed.
    public static let webSocketPayload = ConnectionPart("websocketPayload")
    /// What the two ends exchanged once they had left HTTP, and nothing takes apart: another protocol after a 101 or in a
    /// tunnel, or what a program sent itself.
    public static let upgraded = ConnectionPart("upgraded")
    /// What came after the end of a response and belongs to none: a body in answer to HEAD, or behind a 204 or a 304, or
    /// more than Content-Length announced.
    public static let afterMessage = ConnectionPart("afterMessage")
    /// What is left.
    public static let unaccounted = ConnectionPart("unaccounted")

    /// All parts, in the order of a ledger.
    public static let all = [messages, tls, http2] + rare + [unaccounted]

    /// The parts that ``ConnectionLoad/parts`` may hold: those that few connections have.
    public static let rare = [socks, proxyProtocol, proxyTLS, webSocket, webSocketPayload, upgraded, afterMessage]

    /// Whether it is what a protocol takes beside what is carried.
    public var isOverhead: Bool {
        self == .tls || self == .http2 || self == .socks || self == .proxyProtocol || self == .proxyTLS
            || self == .webSocket
    }

    /// Whether it lies outside of TLS where the connection has any.
    var isOutsideTLS: Bool { self == .socks || self == .proxyProtocol || self == .proxyTLS }
}
