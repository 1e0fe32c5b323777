import TextFormats

/// A response of the inspector.
struct Response: Sendable {
    /// The content that follows the headers.
    enum Content: Sendable {
        /// All content at once.
        case bytes([UInt8])
        /// Pieces, sent as chunks as they become available (RFC 9112, section 7.1); nil ends them.
        case stream(@Sendable () async throws -> [UInt8]?)
        /// No content, with the headers that the given content would have.
        indirect case headOnly(of: Content)
    }

    var status: Int
    var fields: [(name: String, value: String)]
    var content: Content

    init(_ status: Int = 200, type: String, _ bytes: [UInt8], fields: [(name: String, value: String)] = []) {
        self.status = status
        self.fields = [("Content-Type", type)] + fields
        content = .bytes(bytes)
    }

    init(
        type: String, fields: [(name: String, value: String)] = [],
        stream: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        status = 200
        self.fields = [("Content-Type", type)] + fields
        content = .stream(stream)
    }

    /// A response with a JSON object.
    static func json(_ value: JSONValue, status: Int = 200) -> Response { json(value.compactBytes, status: status) }

    /// A response with a JSON object that is already text.
    static func json(_ text: [UInt8], status: Int = 200) -> Response {
        Response(
            status, type: "application/json; charset=utf-8", text, fields: [("Cache-Control", "no-store")])
    }

    /// The status line and headers as bytes.
    ///
    /// Every response forbids browsers to guess its type, to frame it, to send a referrer, and to run anything but the
    /// page's own files.
    func head(keepsAlive: Bool) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(Self.reasons[status] ?? "")\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        text += Self.ownProtections
        if status != 304 { text += Self.framing(of: content) }
        text += keepsAlive ? "\r\n" : "Connection: close\r\n\r\n"
        return Array(text.utf8)
    }

    private static func framing(of content: Content) -> String {
        switch content {
        case .bytes(let bytes): "Content-Length: \(bytes.count)\r\n"
        case .stream: "Transfer-Encoding: chunked\r\n"
        case .headOnly(let content): framing(of: content)
        }
    }

    private static let ownProtections = protections(of: nil).map { "\($0.name): \($0.value)\r\n" }.joined()

    /// The headers that protect the page.
    ///
    /// - Parameter scheme: the scheme of the page if it is not HTTP's. A browser may not count a page of such a scheme as
    ///   `'self'`.
    /// - Returns: names and values.
    static func protections(of scheme: String?) -> [(name: String, value: String)] {
        let own = scheme.map { "'self' \($0):" } ?? "'self'"
        return [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src \(own); style-src \(own); img-src \(own) blob: data:; font-src \(own); "
                    + "connect-src \(own); frame-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
    }

    private static let reasons = [
        200: "OK", 303: "See Other", 304: "Not Modified", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        413: "Content Too Large", 422: "Unprocessable Content", 431: "Request Header Fields Too Large",
        500: "Internal Server Error",
        503: "Service Unavailable",
    ]
}

/// Why a request was refused: a mistake of the caller's, or something that the inspector cannot do.
package struct Refusal: Error, Sendable {
    package let status: Int
    /// A word for programs, which does not change with the language.
    package let code: String
    /// The sentence for people.
    let phrase: RefusalPhrase
    /// The values in the sentence, by name.
    var values: [String: String] = [:]
    var fields: [(name: String, value: String)] = []

    /// The sentence in English.
    var message: String {
        values.reduce(phrase.english) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// The response that carries the refusal.
    var response: Response {
        let members = values.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .string($0.value)) }
        var response = Response.json(
            .object([
                .init(
                    "error",
                    .object([
                        .init("code", .string(code)), .init("message", .string(message)),
                        .init("phrase", .string(phrase.rawValue)), .init("values", .object(members)),
                    ]))
            ]), status: status)
        response.fields += fields
        return response
    }

    static func wrong(_ phrase: RefusalPhrase, _ values: [String: String] = [:]) -> Refusal {
        Refusal(status: 400, code: "wrong", phrase: phrase, values: values)
    }

    static func forbidden(_ phrase: RefusalPhrase) -> Refusal {
        Refusal(status: 403, code: "forbidden", phrase: phrase)
    }

    static let notFound = Refusal(status: 404, code: "notFound", phrase: .address)
}
