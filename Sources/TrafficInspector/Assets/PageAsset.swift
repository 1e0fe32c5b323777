internal import ContentCoding
internal import TrafficModel

/// A file of the page.
struct PageAsset: Sendable {
    /// The media type.
    let type: String
    /// What the browser asks by whether it is another; nil where the name changes with what it holds.
    let tag: String?
    /// The file.
    let bytes: [UInt8]
    /// The file in gzip, made once.
    let gzipped: [UInt8]?

    init(_ type: String, tag: String?, _ text: StaticString) {
        self.type = type
        // Weak: the file is the same in either coding (RFC 9110, section 8.8.1).
        self.tag = tag.map { "W/\"\($0)\"" }
        let bytes = text.withUTF8Buffer { Array($0) }
        self.bytes = bytes
        gzipped = GzipEncoder.encoded(bytes, level: 9)
    }

    /// The answer with the file.
    func response(to request: Request) -> Response {
        var fields = [("Cache-Control", tag == nil ? "public, max-age=31536000, immutable" : "no-cache")]
        if let tag { fields.append(("ETag", tag)) }
        if let tag, request.fields.firstValue(of: "If-None-Match") == tag {
            fields.append(Response.vary)
            return Response(304, type: type, [], fields: fields)
        }
        let response = Response(type: type, bytes, fields: fields)
        guard let gzipped else { return response }
        return response.coded(for: request) { _ in gzipped }
    }
}
