/// A request as an API shows it before it is sent; what the loader adds is in the ``PlatformProfile``.
package struct ShownRequest: Hashable, Sendable {
    /// How the request line names the resource (RFC 9112, section 3.2).
    package enum TargetForm: Hashable, Sendable {
        /// Path and query.
        case origin
        /// The whole URL: to a proxy.
        case absolute
        /// Host and port: CONNECT.
        case authority
        /// `*`: OPTIONS of the server itself.
        case asterisk
    }

    /// What is known of the content.
    package enum Body: Hashable, Sendable {
        case none
        /// From memory or from a file: the loader knows the length, too.
        case length(Int64)
        /// From a stream, which the loader sends in chunks unless the application names a length.
        ///
        /// - Parameters:
        ///   - length: what it holds, where that is known without reading it.
        ///   - counted: what has passed so far, where somebody counts; it goes before `length`.
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
    /// The fields that the session adds where the request does not set them.
    package var additionalFields: [ShownField]
    /// The cookies that the session's storage has for the URL, as name and value.
    package var cookies: [ShownField]
    /// Whether they are sent: the session's `httpShouldSetCookies`, and where the platform heeds it (Foundation on Linux
    /// does not) the request's `httpShouldHandleCookies`.
    package var wantsCookies: Bool
    package var body: Body
    /// Whether the request value itself holds content (`httpBody`, not empty, or `httpBodyStream`), sent or not: that,
    /// and not an upload task's content, makes a loader add a type.
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
