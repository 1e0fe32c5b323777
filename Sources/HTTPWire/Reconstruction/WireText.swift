/// The size of a piece of a request target on the wire.
struct WireText {
    let figure: Figure

    init(_ text: String) {
        // Characters that a URL must not contain are sent percent-encoded (RFC 3986, section 2.1), if at all.
        let odd = text.utf8.reduce(Int64(0)) { $0 + ($1 <= 0x20 || $1 >= 0x7F ? 1 : 0) }
        let size = Int64(text.utf8.count) + 2 * odd
        figure = odd == 0 ? Figure(size) : Figure(size, bound: nil, usualBound: 2 * odd)
    }
}

/// The user info of a URL (RFC 3986, section 3.2.1).
struct UserInfo {
    /// The number of bytes of `user:password`, percent-decoded.
    let count: Int64

    /// Reads the user info; nil if the URL has none.
    init?(url: String) {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            return nil
        }
        let authority = bytes[bytes.index(colon, offsetBy: 3)...].prefix { !"/?#".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        let userInfo = authority[..<at]
        let encoded = userInfo.reduce(Int64(0)) { $0 + ($1 == UInt8(ascii: "%") ? 1 : 0) }
        let hasPassword = userInfo.contains(UInt8(ascii: ":"))
        count = max(0, Int64(userInfo.count) - 2 * encoded) + (hasPassword ? 0 : 1)
    }
}

/// Removes dot segments from paths (RFC 3986, section 5.2.4).
enum DotSegments {
    /// The path without them.
    static func removed(from path: String) -> String {
        guard path.utf8.contains(UInt8(ascii: ".")), path.utf8.first == UInt8(ascii: "/") else { return path }
        var kept: [Substring.UTF8View] = []
        let segments = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            if segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) {
                if segment.count == 2 { _ = kept.popLast() }
                if isLast { kept.append("".utf8[...]) }
            } else {
                kept.append(segment)
            }
        }
        return "/" + kept.map { String(Substring($0)) }.joined(separator: "/")
    }
}
