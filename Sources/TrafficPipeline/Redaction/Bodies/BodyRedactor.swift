internal import ASCIIBytes
import ContentCoding
import HTTPWire
import TrafficModel

/// Covers the secrets in a body that will be kept: an asterisk for each of their bytes, so that size and form stay.
///
/// It covers values whose name is secret by ``SecretNames``: in JSON (also in JSON inside a string), forms, multipart
/// bodies, XML and HTML, and in lines of the form `name: value`. It also covers secrets in URLs, and tokens of known
/// kinds.
struct BodyRedactor: Hashable {
    let names: SecretNames

    /// The largest number of decoded bytes of a compressed body that are searched.
    private static let limit = 16 << 20
    private static let opaque = ["image/", "audio/", "video/", "font/"]

    /// The body with its secrets covered.
    ///
    /// - Parameters:
    ///   - body: the body as sent, or its first bytes.
    ///   - type: its media type.
    ///   - coding: its content coding; empty for none.
    /// - Returns: nil if the body must not be kept: it is compressed and has a secret, or it cannot be decoded.
    func redacted(_ body: [UInt8], type: String, coding: String) -> [UInt8]? {
        let type = type.lowercased()
        let isOpaque = Self.opaque.contains { type.hasPrefix($0) } && !type.contains("xml")
        if body.isEmpty || isOpaque { return body }
        guard !coding.isEmpty, coding.lowercased() != "identity" else { return covered(body, type) }
        guard let known = CompressedCoding(fieldValue: coding),
            let content = ZlibContent(of: body, coding: known, limit: Self.limit),
            content.ending == .whole || content.ending == .cut
        else { return nil }
        return covered(content.bytes, type) == content.bytes ? body : nil
    }

    private func covered(_ body: [UInt8], _ type: String) -> [UInt8] {
        var cover = SecretCover(body)
        let first = body.first { !ASCII.isSpaceOrControl($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || type.contains("json") {
            JSONSecrets(names: names).scan(body, places: nil, into: &cover)
        } else {
            TextSecrets(names: names).scan(body, places: nil, into: &cover)
        }
        if type.hasPrefix("multipart/") || body.starts(with: "--".utf8) {
            MultipartSecrets(names: names).scan(body, into: &cover)
        }
        let tokens = cover.bytes.withUnsafeBufferPointer { KnownTokens.ranges(in: $0) }
        for range in tokens { cover.hide(range) }
        return cover.bytes
    }
}

/// A body in which secrets are being covered.
struct SecretCover {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Covers a range of a text in the body; `places` maps the text's indices to the body's, if the text was unescaped.
    mutating func hide(_ range: Range<Int>, of places: [Int]? = nil, as mark: UInt8 = UInt8(ascii: "*")) {
        guard !range.isEmpty else { return }
        let (start, end) =
            places.map { ($0[range.lowerBound], $0[range.upperBound]) } ?? (range.lowerBound, range.upperBound)
        for index in start..<end { bytes[index] = mark }
    }
}
