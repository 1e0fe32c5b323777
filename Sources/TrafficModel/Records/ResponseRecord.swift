/// A response as it came over the wire.
public struct ResponseRecord: Hashable, Sendable {
    /// The exchange it answers.
    public var exchange: ExchangeID
    /// When its first byte arrived.
    public var firstByteAt: Timestamp
    /// The status code of the final response (RFC 9110, section 15).
    ///
    /// 0 where interim responses or the begin of a status line came and nothing more: bytes, but no answer. Also 0 where
    /// the answer has no status line, as in HTTP/0.9: see ``isAnswer``.
    public var status: Int
    /// The reason phrase; often empty.
    public var reason: String
    /// `0.9`, `1.0`, `1.1` or `2`; empty where nothing says.
    public var httpVersion: String
    /// The field lines as received, secrets replaced once they have passed the pipeline.
    public var fields: FieldSection
    /// What it weighs, part by part, interim responses included.
    public var size: WireSize
    /// The body's size after content decoding, where that is known.
    public var decodedBody: WireSize.Part
    /// The media type without its parameters, in lower case; empty where the response names none.
    public var contentType: String
    /// The content coding as named by the response; empty where there is none.
    public var contentEncoding: String
    /// XXH3 of the body as received, without its framing; nil without a body.
    public var bodyDigest: UInt64?
    /// The body as received, up to the configured limit; nil where bodies are not kept.
    public var capturedBody: [UInt8]?

    /// Whether it answers the request: with a status, or in HTTP/0.9 with bare content.
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
