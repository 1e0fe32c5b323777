import ContentCoding
import HTTPWire

/// Covers the secrets in a body that is to be kept: an asterisk for each of their bytes, so that size and form stay.
///
/// Looked for are values whose name speaks of a secret, as ``SecretNames`` has it, in JSON (also in JSON inside a
/// string), forms, multipart bodies, XML and HTML, and in lines of the form `name: value`; secrets in URLs; and tokens
/// that are known by their look.
struct BodyRedactor: Hashable {
    let names: SecretNames

    /// How much of a compressed body is looked through.
    private static let limit = 16 << 20
    private static let opaque = ["image/", "audio/", "video/", "font/"]

    /// The body with its secrets covered.
    ///
    /// - Parameters:
    ///   - body: as it was sent, or the first bytes of it.
    ///   - type: its media type.
    ///   - coding: its content coding; empty for none.
    /// - Returns: nil where it must not be kept: it is compressed and holds a secret, or nobody can look into it.
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
        let first = body.first { !FieldName.isSpace($0) }
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

/// A body whose secrets are being covered.
struct SecretCover {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Covers a range of a text that was found in the body: with its places, where it had to be unescaped.
    mutating func hide(_ range: Range<Int>, of places: [Int]? = nil, as mark: UInt8 = UInt8(ascii: "*")) {
        guard !range.isEmpty else { return }
        let (start, end) =
            places.map { ($0[range.lowerBound], $0[range.upperBound]) } ?? (range.lowerBound, range.upperBound)
        for index in start..<end { bytes[index] = mark }
    }
}
