/// What a monitor on `URLProtocol` or in a delegate sees of an exchange, in plain values.
package struct SeenExchange {
    /// A field in the order of the dictionary that showed it; the order does not matter to a sum.
    package struct Field {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var method = "GET"
    /// `URL.path`: without its query, percent-decoded.
    package var path = "/"
    /// `allHTTPHeaderFields` of the request.
    package var requestFields: [Field] = []
    /// `HTTPCookie.requestHeaderFields` of the shared storage's cookies for the URL.
    package var cookieFields: [Field] = []
    /// `httpBody`; nil where the content comes from elsewhere (an upload task, a file, a stream).
    package var httpBody: Content?
    package var status = 200
    /// The phrase of the status line; empty where it has none or it is not shown.
    package var reason = ""
    /// `allHeaderFields` of the response.
    package var responseFields: [Field] = []
    /// −1 where the response does not say.
    package var expectedContentLength: Int64 = -1
    /// The content after decoding.
    package var responseBody = Content()
    /// The sizes of the data callbacks.
    package var callbacks: [Int] = []

    package init() {}
}

extension SeenExchange {
    /// Content by its measures: some monitors look into it.
    package struct Content {
        /// The bytes.
        package var count: Int64 = 0
        /// What gzip at its default level makes of them.
        package var gzipped: Int64 = 0
        /// Whether they are text in UTF-8.
        package var isText = true
        /// Whether they are an image.
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
