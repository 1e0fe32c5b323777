/// What the two ends of a connection say in the clear as TLS begins, which a meter sees without opening TLS.
///
/// From TLS 1.3 on, the server's certificate and the protocol that it chooses are encrypted.
public struct TLSHandshake: Hashable, Sendable {
    /// The host that the client names (RFC 6066, section 3); empty if it names none.
    public var serverName: String
    /// The protocols that the client offers, the preferred one first (RFC 7301).
    ///
    /// Bytes other than letters, digits and marks are percent-encoded, as in RFC 7838, section 3.
    public var offeredProtocols: [String]
    /// The protocol that the server chooses; empty if it chooses none, or in TLS 1.3.
    public var applicationProtocol: String
    /// The version that the server chooses, such as `TLSv1.3`; empty if no ServerHello came.
    public var version: String
    /// The cipher suite by its IANA name; empty if no ServerHello came.
    public var cipher: String
    /// Whether an earlier session goes on, so that the server sends no certificate; nil if the handshake ended before.
    ///
    /// In TLS 1.3 a key that both ends have had from the start looks the same (RFC 8446, section 2.2).
    public var isResumed: Bool?
    /// The server's certificate; nil if none came in the clear.
    public var certificate: ServerCertificate?

    /// A handshake of these parts.
    public init(
        serverName: String = "", offeredProtocols: [String] = [], applicationProtocol: String = "",
        version: String = "",
        cipher: String = "", isResumed: Bool? = nil, certificate: ServerCertificate? = nil
    ) {
        self.serverName = serverName
        self.offeredProtocols = offeredProtocols
        self.applicationProtocol = applicationProtocol
        self.version = version
        self.cipher = cipher
        self.isResumed = isResumed
        self.certificate = certificate
    }
}

/// The certificate of a server (RFC 5280), as it was sent; whether it is genuine, the meter does not examine.
public struct ServerCertificate: Hashable, Sendable {
    /// Whom it is for: the common name, or without one the first DNS name; empty if it has neither.
    public var subject: String
    /// Who signed it: the common name and the organization; empty if it has neither.
    public var issuer: String
    /// The first second of its validity; nil if it could not be read.
    public var notBefore: Timestamp?
    /// The last second of its validity; nil if it could not be read.
    public var notAfter: Timestamp?
    /// Its SHA-256, in hexadecimal digits.
    public var sha256: String
    /// The bytes of the handshake message with this certificate and those above it; nil if they are not known.
    public var chainSize: ByteCount?

    /// A certificate of these parts.
    public init(
        subject: String, issuer: String, notBefore: Timestamp?, notAfter: Timestamp?, sha256: String,
        chainSize: ByteCount?
    ) {
        self.subject = subject
        self.issuer = issuer
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.sha256 = sha256
        self.chainSize = chainSize
    }
}
