/// What a platform's loader adds to the messages that it is given, and what it hides of those that it shows.
package struct PlatformProfile: Hashable, Sendable {
    /// What the loader does with `Connection` if the request goes to a proxy (RFC 9110, section 7.6.1, mentions neither
    /// way).
    package enum ProxyConnection: Hashable, Sendable {
        /// The loader adds `Proxy-Connection` with that value.
        case added(String)
        /// The loader sends `Proxy-Connection` in its place.
        case replacing
    }

    /// The requests without content that have `Content-Length: 0` (RFC 9110, section 8.6).
    package enum EmptyLength: Hashable, Sendable {
        /// All but GET and HEAD.
        case allButGETAndHEAD
        /// Requests whose method gives content a meaning, certainly POST and PUT.
        case wherePossible
    }

    /// The fields that the loader sends unless the request or the session sets a field of that name.
    package var defaultFields: [ShownField]
    package var proxyConnection: ProxyConnection
    package var emptyLength: EmptyLength
    /// The line, without CRLF, that the loader adds to a POST whose request holds content without a type.
    package var untypedLine: String
    /// Whether it adds that line even if the session's own fields name a type, so that there are two.
    package var overlooksSessionType: Bool
    /// Whether it sends a stream in chunks even if the application names its length (RFC 9112, section 6.2, forbids
    /// it).
    package var chunksSizedStreams: Bool
    /// Whether it resolves dot segments before it sends the target (RFC 3986, section 5.2.4).
    package var resolvesDotSegments: Bool
    /// Whether it sends user info from the URL as `Authorization: Basic` before the server requests it.
    package var sendsURLCredentials: Bool
    /// Whether a streamed upload waits for `100 Continue` (RFC 9110, section 10.1.1).
    package var streamsExpectContinue: Bool
    /// Whether it leaves out fields whose value is only spaces.
    package var dropsBlankFields: Bool
    /// The largest content of one chunk of an upload, in bytes.
    package var uploadChunk: Int64
    /// Whether it hides the content of a redirect from the delegate, even if the redirect is not followed.
    package var hidesRedirectContent: Bool
    /// Whether a chunked response is shown as `Transfer-Encoding: Identity`.
    package var showsChunkedAsIdentity: Bool
    /// Whether a data callback never gets bytes of two chunks.
    package var keepsChunksApart: Bool
    /// Whether the profile's claims about requests were measured, so that bounds hold.
    package var isProven: Bool

    package init(
        defaultFields: [ShownField], proxyConnection: ProxyConnection, emptyLength: EmptyLength, untypedLine: String,
        overlooksSessionType: Bool, chunksSizedStreams: Bool, resolvesDotSegments: Bool, sendsURLCredentials: Bool,
        streamsExpectContinue: Bool, dropsBlankFields: Bool, uploadChunk: Int64, hidesRedirectContent: Bool,
        showsChunkedAsIdentity: Bool, keepsChunksApart: Bool, isProven: Bool
    ) {
        self.defaultFields = defaultFields
        self.proxyConnection = proxyConnection
        self.emptyLength = emptyLength
        self.untypedLine = untypedLine
        self.overlooksSessionType = overlooksSessionType
        self.chunksSizedStreams = chunksSizedStreams
        self.resolvesDotSegments = resolvesDotSegments
        self.sendsURLCredentials = sendsURLCredentials
        self.streamsExpectContinue = streamsExpectContinue
        self.dropsBlankFields = dropsBlankFields
        self.uploadChunk = uploadChunk
        self.hidesRedirectContent = hidesRedirectContent
        self.showsChunkedAsIdentity = showsChunkedAsIdentity
        self.keepsChunksApart = keepsChunksApart
        self.isProven = isProven
    }

    /// Foundation for Linux, which uses libcurl; measured on Swift 6.3.1 with libcurl 7.88.1.
    ///
    /// - Parameters:
    ///   - userAgent: `NAME (unknown version) curl/VERSION`, where the name is the process's and the version libcurl's.
    ///   - language: the language code of the current locale; nil if it has none.
    ///   - contentCodings: the codings that the loaded libcurl can decode, in its own words.
    ///   - connection: the value of `Connection`; releases after 6.3 send none.
    /// - Returns: a profile whose requests are exact.
    package static func foundationLinux(
        userAgent: String, language: String? = "en", contentCodings: String = "deflate, gzip, br, zstd",
        connection: String? = "keep-alive"
    ) -> PlatformProfile {
        var fields = [
            ShownField("Accept", "*/*"), ShownField("Accept-Encoding", contentCodings),
            ShownField("User-Agent", userAgent),
        ]
        if let connection { fields.append(ShownField("Connection", connection)) }
        if let language { fields.append(ShownField("Accept-Language", language)) }
        return PlatformProfile(
            defaultFields: fields, proxyConnection: .added("Keep-Alive"), emptyLength: .allButGETAndHEAD,
            untypedLine: "Content-Type:application/x-www-form-urlencoded", overlooksSessionType: true,
            chunksSizedStreams: true, resolvesDotSegments: true, sendsURLCredentials: true,
            streamsExpectContinue: true, dropsBlankFields: true,
            // libcurl fills buffers of 64 KiB, except for the room of eight digits and two line ends.
            uploadChunk: 65_524, hidesRedirectContent: true, showsChunkedAsIdentity: false, keepsChunksApart: true,
            isProven: true)
    }

    /// Apple's CFNetwork as documented; not run on a device yet, so its errors have no bounds.
    ///
    /// - Parameters:
    ///   - userAgent: `NAME/BUILD CFNetwork/VERSION Darwin/VERSION`.
    ///   - languages: the value of `Accept-Language`, such as `en-GB,en;q=0.9`.
    ///   - isSecure: whether the request goes over TLS; only then `br` is offered.
    /// - Returns: a profile without bounds.
    package static func apple(userAgent: String, languages: String, isSecure: Bool) -> PlatformProfile {
        PlatformProfile(
            defaultFields: [
                ShownField("Accept", "*/*"), ShownField("Accept-Language", languages),
                ShownField("Accept-Encoding", isSecure ? "gzip, deflate, br" : "gzip, deflate"),
                ShownField("Connection", "keep-alive"), ShownField("User-Agent", userAgent),
            ],
            proxyConnection: .replacing, emptyLength: .wherePossible,
            untypedLine: "Content-Type: application/x-www-form-urlencoded", overlooksSessionType: false,
            chunksSizedStreams: false, resolvesDotSegments: false, sendsURLCredentials: false,
            streamsExpectContinue: false, dropsBlankFields: false, uploadChunk: 32_768,
            hidesRedirectContent: false, showsChunkedAsIdentity: true, keepsChunksApart: false, isProven: false)
    }
}
