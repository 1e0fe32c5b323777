/// A response as it was received on the wire.
public struct ResponseRecord: Hashable, Sendable {
    /// The exchange that the response belongs to.
    public var exchange: ExchangeID
    /// When its first byte arrived.
    public var firstByteAt: Timestamp
    /// The status code of the final response (RFC 9110, section 15).
    ///
    /// It is 0 if only interim responses or the start of a status line came: there are bytes, but no response. It is
    /// also 0 if the response has no status line, as in HTTP/0.9: see ``isAnswer``.
    public var status: Int
    /// The reason phrase; often empty.
    public var reason: String
    /// `0.9`, `1.0`, `1.1` or `2`; empty if it is not known.
    public var httpVersion: String
    /// The field lines as received; the pipeline replaces secrets in them.
    public var fields: FieldSection
    /// The size on the wire, part by part, including interim responses.
    public var size: WireSize
    /// The body's size after content decoding, if that is known.
    public var decodedBody: WireSize.Part
    /// The media type without its parameters, in lower case; empty if the response names none.
    public var contentType: String
    /// The content coding as named by the response; empty if there is none.
    public var contentEncoding: String
    /// XXH3 of the body as received, without its framing; nil without a body.
    public var bodyDigest: UInt64?
    /// The body as received, up to the configured limit; nil if bodies are not kept.
    public var capturedBody: [UInt8]?

    /// Whether this is a response to the request: with a status, or in HTTP/0.9 with bare content.
    public var isAnswer: Bool { status > 0 || httpVersion == "0.9" }

    /// A response with all its parts.
    public init(
        exchange: ExchangeID, firstByteAt: Timestamp, status: Int, reason: String, httpVersion: String,
        fields: FieldSection, size: WireSize, decodedBody: WireSize.Part = .unknown, contentType: String = "",
        contentEncoding: String = "", bodyDigest: UInt64? = nil, capturedBody: [UInt8]? = nil
    ) {
        self.exchange = exchange
        self.firstByteAt = firstByteAt
        self.status = status
        self.reason = reason
        self.httpVersion = httpVersion
        self.fields = fields
        self.size = size
        self.decodedBody = decodedBody
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.bodyDigest = bodyDigest
        self.capturedBody = capturedBody
    }
}
