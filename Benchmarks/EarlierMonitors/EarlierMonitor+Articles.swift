extension EarlierMonitor {
    /// The first article, `DMURLProtocol`.
    ///
    /// It uses the path without its query, a line feed as line end and no empty line, and compresses decoded content
    /// with gzip.
    package static let firstArticle = EarlierMonitor(
        name: "first article",
        request: { seen in
            let body = seen.httpBody ?? SeenExchange.Content()
            return Figures(
                startLine: Int64("\(seen.method) \(seen.path) HTTP/1.1\n".utf8.count),
                fields: lines(seen.requestFields + seen.cookieFields, between: ": ", end: "\n"),
                body: seen.request("Content-Encoding") != nil ? body.gzipped : body.count)
        },
        response: { seen in
            Figures(
                startLine: Int64("HTTP/1.1 \(seen.status) \(seen.reason)".utf8.count),
                fields: lines(seen.responseFields, between: ": ", end: "\n"),
                body: seen.response("Content-Encoding") == "gzip" ? seen.responseBody.gzipped : seen.responseBody.count)
        })

    /// The second article, `EP`.
    ///
    /// It uses CRLF and the empty line, and adds chunk framing to `Identity` content if some value is `keep-alive`.
    /// Chunk framing comes from the data callbacks, with four bytes for each CRLF, and only if the list of codings has
    /// a comma.
    package static let secondArticle = EarlierMonitor(
        name: "second article",
        request: { seen in
            let body = seen.httpBody ?? SeenExchange.Content()
            return Figures(
                startLine: Int64("\(seen.method) \(seen.path) HTTP/1.1\r\n".utf8.count),
                fields: lines(seen.requestFields + seen.cookieFields, between: ": ", end: "\r\n") + 2,
                body: seen.request("Content-Encoding") != nil ? body.gzipped : body.count)
        },
        response: { seen in
            let reason = seen.reason.isEmpty ? " " : seen.reason
            let keepsAlive = seen.responseFields.contains { $0.value.lowercased() == "keep-alive" }
            let fields = seen.responseFields.map { field in
                guard keepsAlive, field.name.lowercased() == "transfer-encoding", field.value == "Identity" else {
                    return field
                }
                return SeenExchange.Field(name: field.name, value: "chunked")
            }
            var body =
                seen.response("Content-Encoding") == "gzip" ? seen.responseBody.gzipped : seen.responseBody.count
            let codings = (seen.response("Transfer-Encoding") ?? "").split(separator: ",")
            if codings.count > 1 {
                for size in seen.callbacks { body += Int64(String(size, radix: 16).utf8.count) + 8 }
                body += 9
            }
            return Figures(
                startLine: Int64("HTTP/1.1 \(seen.status) \(reason)\r\n".utf8.count),
                fields: lines(fields, between: ": ", end: "\r\n") + 2, body: body)
        })

    /// The Swift article: the first one's request, gzipped if `Accept-Encoding` is set, and decoded bytes down.
    package static let swiftArticle = EarlierMonitor(
        name: "Swift article",
        request: { seen in
            let body = seen.httpBody ?? SeenExchange.Content()
            return Figures(
                startLine: Int64("\(seen.method) \(seen.path) HTTP/1.1\n".utf8.count),
                fields: lines(seen.requestFields + seen.cookieFields, between: ": ", end: "\n"),
                body: seen.request("Accept-Encoding") != nil ? body.gzipped : body.count)
        },
        response: { seen in
            Figures(
                startLine: 0, fields: lines(seen.responseFields, between: ": ", end: "\n"),
                body: seen.responseBody.count)
        })
}
