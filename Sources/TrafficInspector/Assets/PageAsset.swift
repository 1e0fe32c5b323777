internal import ContentCoding
internal import TrafficModel

/// A file of the page.
struct PageAsset: Sendable {
    /// The media type.
    let type: String
    /// The ETag by which the browser checks for a new version; nil if the file's name changes with its contents.
    let tag: String?
    /// The contents of the file.
    let bytes: [UInt8]
    /// The same in gzip, compressed once.
    let gzipped: [UInt8]?

    init(_ type: String, tag: String?, _ text: String) {
        self.type = type
        // A weak tag, because both codings of the file share it (RFC 9110, section 8.8.1).
        self.tag = tag.map { "W/\"\($0)\"" }
        let bytes = Array(text.utf8)
        self.bytes = bytes
        gzipped = GzipEncoder.encoded(bytes, level: 9)
    }

    /// A font, which is compressed already, under a name that changes with its contents.
    init(font bytes: [UInt8]) {
        type = "font/woff2"
        tag = nil
        self.bytes = bytes
        gzipped = nil
    }

    /// The response with the file.
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
