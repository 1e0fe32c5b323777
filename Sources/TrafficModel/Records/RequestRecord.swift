/// A request as it was sent on the wire.
///
/// It is a row of its own, whether or not a response came.
public struct RequestRecord: Hashable, Sendable {
    /// The exchange that the request began.
    public var exchange: ExchangeID
    /// The first exchange of the chain of redirects and authentication retries that this one belongs to; its own number
    /// if it is the first.
    public var task: ExchangeID
    /// The number of attempts of the task before this one: 0 for the first, 1 after one redirect or retry.
    ///
    /// OpenTelemetry calls it `http.request.resend_count`.
    public var resendCount: Int
    /// The metered process: the one that sent the request, or, if the direction is ``TrafficDirection/served``, the one
    /// that received it.
    public var process: ProcessIdentity
    /// Whether the metered program sent the request or received it.
    public var direction: TrafficDirection
    /// When the attempt began: at the program's call, or, for a redirect or a retry, when the previous attempt ended.
    public var startedAt: Timestamp
    /// When the first byte was sent; nil if none was, or if the meter did not see it.
    public var sentAt: Timestamp?
    /// The method (RFC 9110, section 9).
    public var method: String
    /// `http` or `https`.
    public var scheme: String
    /// The host without the port, in lower case; an IPv6 address is in brackets.
    ///
    /// The host with the port is the ``authority``.
    public var host: String
    /// The port, even if the URL leaves it out.
    public var port: Int
    /// The path as sent, with its percent-encoding; if the request's target is no path, that target: `*`, or the
    /// `host:port` of CONNECT (RFC 9112, section 3.2).
    public var path: String
    /// The query, without its question mark; nil if there is none.
    ///
    /// Secrets in it are replaced.
    public var query: String?
    /// The path with its variable parts replaced by names; empty until the pipeline has set it.
    public var template: String
    /// Whether the template is one of the user's own; such a template is never merged with others.
    public var isTemplateGiven: Bool
    /// `1.0`, `1.1` or `2`; empty if no headers were sent.
    public var httpVersion: String
    /// The field lines as sent; the pipeline replaces secrets in them.
    ///
    /// Their original sizes are in ``size``.
    public var fields: FieldSection
    /// The size on the wire, part by part.
    public var size: WireSize
    /// XXH3 of the body as sent, without its framing; nil without a body.
    public var bodyDigest: UInt64?
    /// The body as sent, up to the configured limit; nil if bodies are not kept.
    public var capturedBody: [UInt8]?
    /// Whether the rows of this exchange are kept; if false, the exchange only counts in the totals.
    public var keepsDetail: Bool

    /// A request with all its parts.
    public init(
        exchange: ExchangeID, task: ExchangeID, resendCount: Int, process: ProcessIdentity, startedAt: Timestamp,
        sentAt: Timestamp? = nil, method: String, scheme: String, host: String, port: Int, path: String, query: String?,
        template: String = "",
        isTemplateGiven: Bool = false, httpVersion: String, fields: FieldSection, size: WireSize,
        bodyDigest: UInt64? = nil,
        capturedBody: [UInt8]? = nil, keepsDetail: Bool = true, direction: TrafficDirection = .called
    ) {
        self.exchange = exchange
        self.task = task
        self.resendCount = resendCount
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
        self.direction = direction
    }
}
