/// A response as an API shows it.
///
/// Fields are re-capitalised, joined and trimmed; there is no status line, there are no interim responses and no
/// chunks; the content is decoded.
package struct ShownResponse: Hashable, Sendable {
    /// What the API shows of the content.
    package enum Body: Hashable, Sendable {
        /// Only what the fields say.
        case unseen
        /// The number of bytes as sent: after content coding, before framing.
        case wire(Int64)
        /// The number of bytes after content decoding.
        ///
        /// - Parameter recompressed: the result of a ``CompressedSizeEstimator`` for them, if the fields name a coding.
        case decoded(Int64, recompressed: Int64?)
    }

    package var status: Int
    /// The reason phrase; nil if it is not shown.
    package var reason: String?
    /// `1.1`, `1.0`, `2`; nil if it is not shown.
    package var httpVersion: String?
    package var fields: [ShownField]
    /// The method of the request; it decides whether there is content (RFC 9110, section 6.4.1).
    package var requestMethod: String
    /// Whether the request asked for `100 Continue`.
    package var requestExpectsContinue: Bool
    package var body: Body
    /// The sizes in which the content arrived at the delegate; nil if they were not counted.
    package var pieces: PieceTally?
    /// Whether all of it arrived.
    ///
    /// Only then a length in the fields is that of the body.
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
