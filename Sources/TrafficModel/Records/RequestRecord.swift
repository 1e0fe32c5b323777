/// A request as it went over the wire.
///
/// A row of its own, whether or not a response came.
public struct RequestRecord: Hashable, Sendable {
    /// The exchange it began.
    public var exchange: ExchangeID
    /// The first exchange of the chain of redirects and authentication retries that this one belongs to; itself when
    /// it is the first.
    public var task: ExchangeID
    /// How many exchanges of the task came before it.
    public var hop: Int
    /// The process that sent it.
    public var process: ProcessIdentity
    /// When the attempt began: with the program's call, or, for a redirect's or a retry's, when the one before was over.
    public var startedAt: Timestamp
    /// When its first byte was sent; nil where none was, or nobody saw it.
    public var sentAt: Timestamp?
    /// The method (RFC 9110, section 9).
    public var method: String
    /// `http` or `https`.
    public var scheme: String
    /// The host without the port, in lower case; an address of IPv6 in brackets.
    ///
    /// With the port it is the ``authority``.
    public var host: String
    /// The port, also where the URL leaves it out.
    public var port: Int
    /// The path as sent, with its percent-encoding; the request's target where that is no path: `*`, or `host:port` of
    /// CONNECT (RFC 9112, section 3.2).
    public var path: String
    /// What follows the question mark, without it; nil where there is none.
    ///
    /// Secrets are replaced.
    public var query: String?
    /// The path with its variable parts replaced by names; empty until the pipeline has filled it in.
    public var template: String
    /// Whether the template is one of the user's own, and so not to be merged with others.
    public var isTemplateGiven: Bool
    /// `1.0`, `1.1` or `2`; empty where no head was sent.
    public var httpVersion: String
    /// The field lines as sent, secrets replaced once they have passed the pipeline.
    ///
    /// Their sizes are in ``size``.
    public var fields: FieldSection
    /// What it weighs, part by part.
    public var size: WireSize
    /// XXH3 of the body as sent, without its framing; nil without a body.
    public var bodyDigest: UInt64?
    /// The body as sent, up to the configured limit; nil where bodies are not kept.
    public var capturedBody: [UInt8]?
    /// Whether the rows of this exchange are kept; where false, it only counts in the totals.
    public var keepsDetail: Bool

    /// A request with all its parts.
    public init(
        exchange: ExchangeID, task: ExchangeID, hop: Int, process: ProcessIdentity, startedAt: Timestamp,
        sentAt: Timestamp? = nil, method: String, scheme: String, host: String, port: Int, path: String, query: String?,
        template: String = "",
        isTemplateGiven: Bool = false, httpVersion: String, fields: FieldSection, size: WireSize,
        bodyDigest: UInt64? = nil,
        capturedBody: [UInt8]? = nil, keepsDetail: Bool = true
    ) {
        self.exchange = exchange
        self.task = task
        self.hop = hop
        self.process = process
        self.startedAt = startedAt
        self.sentAt = sentAt
        self.method = method
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.query = query
        self.template = template
        self.isTemplateGiven = isTemplateGiven
        self.httpVersion = httpVersion
        self.fields = fields
        self.size = size
        self.bodyDigest = bodyDigest
        self.capturedBody = capturedBody
        self.keepsDetail = keepsDetail
    }
}
