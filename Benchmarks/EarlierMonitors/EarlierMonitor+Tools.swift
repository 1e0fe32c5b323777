extension EarlierMonitor {
    /// NetworkEye: the content length that the response states; nothing if it states none.
    package static let networkEye = EarlierMonitor(
        name: "NetworkEye", response: { Figures(body: max(0, $0.expectedContentLength)) })

    /// netfox: the decoded bytes of text and images.
    package static let netfox = EarlierMonitor(
        name: "netfox",
        response: { Figures(body: $0.responseBody.isText || $0.responseBody.isImage ? $0.responseBody.count : 0) })

    /// FLEX: the sum of the sizes in data callbacks.
    package static let flex = EarlierMonitor(
        name: "FLEX", response: { Figures(body: $0.callbacks.reduce(0) { $0 + Int64($1) }) })

    /// DoKit: the fields as pretty-printed JSON, and the content's stated length or its decoded size.
    package static let doKit = EarlierMonitor(
        name: "DoKit",
        request: { Figures(fields: prettyJSON($0.requestFields), body: $0.httpBody?.count ?? 0) },
        response: { seen in
            Figures(
                fields: prettyJSON(seen.responseFields),
                body: seen.expectedContentLength >= 0 ? seen.expectedContentLength : seen.responseBody.count)
        })

    /// MTHawkeye: no query, no cookies, no spaces after colons, and content compressed again with gzip.
    package static let mtHawkeye = EarlierMonitor(
        name: "MTHawkeye",
        request: { seen in
            Figures(
                startLine: Int64("\(seen.method) \(seen.path) HTTP/1.1\n".utf8.count),
                fields: lines(seen.requestFields, between: ":", end: "\n"), body: seen.httpBody?.count ?? 0)
        },
        response: { seen in
            Figures(
                startLine: Int64("HTTP/1.1 \(seen.status) \(seen.reason)\n".utf8.count),
                fields: lines(seen.responseFields, between: ":", end: "\n"),
                body: seen.response("Content-Encoding") == "gzip" ? seen.responseBody.gzipped : seen.responseBody.count)
        })

    /// The size of a dictionary in Foundation's pretty-printed JSON: two spaces, `"name" : "value"`, a comma, a line
    /// feed.
    private static func prettyJSON(_ fields: [SeenExchange.Field]) -> Int64 {
        func quoted(_ text: String) -> Int64 {
            text.utf8.reduce(2) { $0 + ("\"\\/".utf8.contains($1) || $1 == 0x09 ? 2 : 1) }
        }
        let lines = fields.reduce(Int64(0)) { $0 + 2 + quoted($1.name) + 3 + quoted($1.value) }
        return 2 + lines + 2 * max(0, Int64(fields.count) - 1) + 2
    }
}
