/// What a monitor on `URLProtocol` or in a delegate sees of an exchange, in plain values.
struct SeenExchange {
    /// A field in the order of the dictionary that showed it; the order does not matter to a sum.
    struct Field {
        var name: String
        var value: String
    }

    var method = "GET"
    /// `URL.path`: without its query, percent-decoded.
    var path = "/"
    /// `allHTTPHeaderFields` of the request.
    var requestFields: [Field] = []
    /// `HTTPCookie.requestHeaderFields` of the shared storage's cookies for the URL.
    var cookieFields: [Field] = []
    /// `httpBody`; nil where the content comes from elsewhere (an upload task, a file, a stream).
    var httpBody: Content?
    var status = 200
    /// The phrase of the status line; empty where it has none or it is not shown.
    var reason = ""
    /// `allHeaderFields` of the response.
    var responseFields: [Field] = []
    /// −1 where the response does not say.
    var expectedContentLength: Int64 = -1
    /// The content after decoding.
    var responseBody = Content()
    /// The sizes of the data callbacks.
    var callbacks: [Int] = []
}

extension SeenExchange {
    /// Content by its measures: some monitors look into it.
    struct Content {
        /// The bytes.
        var count: Int64 = 0
        /// What gzip at its default level makes of them.
        var gzipped: Int64 = 0
        /// Whether they are text in UTF-8.
        var isText = true
        /// Whether they are an image.
        var isImage = false
    }

    /// The value of the request's field of that name.
    func request(_ name: String) -> String? { Self.value(name, requestFields) }

    /// The value of the response's field of that name.
    func response(_ name: String) -> String? { Self.value(name, responseFields) }

    private static func value(_ name: String, _ fields: [Field]) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
