/// An exchange as a monitor on `URLProtocol` or in a delegate sees it, in plain values.
package struct SeenExchange {
    /// A header field; the order is that of a dictionary, which does not matter for sums.
    package struct Field {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method = "GET"
    /// `URL.path`: the path without its query, percent-decoded.
    package var path = "/"
    /// `allHTTPHeaderFields` of the request.
    package var requestFields: [Field] = []
    /// `HTTPCookie.requestHeaderFields` for the shared storage's cookies of the URL.
    package var cookieFields: [Field] = []
    /// `httpBody`; nil if the content comes from elsewhere (an upload task, a file, a stream).
    package var httpBody: Content?
    package var status = 200
    /// The reason phrase of the status line; empty if there is none or it is not shown.
    package var reason = ""
    /// `allHeaderFields` of the response.
    package var responseFields: [Field] = []
    /// The length that the response states, in bytes; −1 if it states none.
    package var expectedContentLength: Int64 = -1
    /// The content after decoding.
    package var responseBody = Content()
    /// The number of bytes in each data callback.
    package var callbacks: [Int] = []

    package init() {}
}

extension SeenExchange {
    /// The measures of content that some monitors use.
    package struct Content {
        /// The number of bytes.
        package var count: Int64 = 0
        /// The number of bytes after gzip at its default level.
        package var gzipped: Int64 = 0
        /// Whether the bytes are text in UTF-8.
        package var isText = true
        /// Whether the bytes are an image.
        package var isImage = false

        package init() {}
    }

    /// The value of the request's field of that name.
    func request(_ name: String) -> String? { Self.value(name, requestFields) }

    /// The value of the response's field of that name.
    func response(_ name: String) -> String? { Self.value(name, responseFields) }

    private static func value(_ name: String, _ fields: [Field]) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
