/// A response as an API shows it: fields re-capitalised, joined and trimmed, no status line, no interim responses, no
/// chunks, the content decoded.
package struct ShownResponse: Hashable, Sendable {
    /// What is known of the content.
    package enum Body: Hashable, Sendable {
        /// Nothing but what the fields say.
        case unseen
        /// So many bytes as they were sent: after content coding, before framing.
        case wire(Int64)
        /// So many bytes after content decoding.
        ///
        /// - Parameter recompressed: what a ``CompressedSizeEstimator`` made of them, where the fields name a coding.
        case decoded(Int64, recompressed: Int64?)
    }

    package var status: Int
    /// The reason phrase; nil where it is not shown.
    package var reason: String?
    /// `1.1`, `1.0`, `2`; nil where it is not shown.
    package var httpVersion: String?
    package var fields: [ShownField]
    /// The method that it answers (RFC 9110, section 6.4.1: it decides whether there is content).
    package var requestMethod: String
    /// Whether the request asked for `100 Continue`.
    package var requestExpectsContinue: Bool
    package var body: Body
    /// The sizes in which the content arrived at the delegate; nil where nobody counted.
    package var pieces: PieceTally?
    /// Whether all of it arrived: a length that the fields name is the body's only then.
    package var isComplete: Bool

    package init(
        status: Int, reason: String? = nil, httpVersion: String? = nil, fields: [ShownField] = [],
        requestMethod: String = "GET", requestExpectsContinue: Bool = false, body: Body = .unseen,
        pieces: PieceTally? = nil, isComplete: Bool = true
    ) {
        self.status = status
        self.reason = reason
        self.httpVersion = httpVersion
        self.fields = fields
        self.requestMethod = requestMethod
        self.requestExpectsContinue = requestExpectsContinue
        self.body = body
        self.pieces = pieces
        self.isComplete = isComplete
    }
}
