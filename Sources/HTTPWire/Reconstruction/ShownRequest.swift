/// A request as an API shows it before it is sent; the ``PlatformProfile`` has what the loader adds.
package struct ShownRequest: Hashable, Sendable {
    /// The form of the target in the request line (RFC 9112, section 3.2).
    package enum TargetForm: Hashable, Sendable {
        /// Path and query, to the server itself.
        case origin
        /// The whole URL, to a proxy.
        case absolute
        /// Host and port, for CONNECT.
        case authority
        /// `*`, for OPTIONS of the server itself.
        case asterisk
    }

    /// What the API shows of the content.
    package enum Body: Hashable, Sendable {
        case none
        /// Content from memory or from a file, so the loader knows its length, too.
        case length(Int64)
        /// Content from a stream, which the loader sends in chunks unless the application names a length.
        ///
        /// - Parameters:
        ///   - length: the stream's length in bytes, if known without reading it.
        ///   - counted: the bytes that have passed so far, if they were counted; takes precedence over `length`.
        case stream(length: Int64?, counted: Int64?)
    }

    package var method: String
    /// The absolute URL, percent-encoded as it will be sent; a fragment in it is not sent.
    package var url: String
    package var targetForm: TargetForm
    /// `1.1`, `1.0`, `2`.
    package var httpVersion: String
    /// The fields that the request sets.
    package var fields: [ShownField]
    /// The fields that the session adds if the request does not set them.
    package var additionalFields: [ShownField]
    /// The cookies that the session's storage has for the URL, as name and value.
    package var cookies: [ShownField]
    /// Whether they are sent.
    ///
    /// The session's `httpShouldSetCookies` decides and, if the platform honours it (Foundation on Linux does not), the
    /// request's `httpShouldHandleCookies`.
    package var wantsCookies: Bool
    package var body: Body
    /// Whether the request value itself holds content (a non-empty `httpBody`, or `httpBodyStream`), sent or not.
    ///
    /// Then a loader adds a type; for an upload task's content it does not.
    package var holdsBody: Bool
    /// Whether the task asks its delegate for the stream, as `uploadTask(withStreamedRequest:)` does.
    package var isStreamedUpload: Bool

    package init(
        method: String = "GET", url: String, targetForm: TargetForm = .origin, httpVersion: String = "1.1",
        fields: [ShownField] = [], additionalFields: [ShownField] = [], cookies: [ShownField] = [],
        wantsCookies: Bool = true, body: Body = .none, holdsBody: Bool = false, isStreamedUpload: Bool = false
    ) {
        self.method = method
        self.url = url
        self.targetForm = targetForm
        self.httpVersion = httpVersion
        self.fields = fields
        self.additionalFields = additionalFields
        self.cookies = cookies
        self.wantsCookies = wantsCookies
        self.body = body
        self.holdsBody = holdsBody
        self.isStreamedUpload = isStreamedUpload
    }
}
