internal import ASCIIBytes
internal import TrafficModel

/// The parts of a URL, with every byte unchanged: neither decoded nor normalised.
package struct RequestTarget: Hashable, Sendable {
    package var scheme: String
    /// In lower case, with the brackets of an IPv6 address (RFC 3986, section 3.2.2).
    package var host: String
    package var port: Int
    package var path: String
    package var query: String?

    // Compare bytes, not characters: a combining mark would hide the delimiter before it.

    /// Splits an absolute URL; nil if it is none.
    ///
    /// User info and fragment are left out.
    package init?(url: String) {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8),
            Self.isScheme(bytes[..<colon])
        else { return nil }
        scheme = url[..<colon].lowercased()
        let rest = bytes[bytes.index(colon, offsetBy: 3)...].prefix { $0 != UInt8(ascii: "#") }
        let authorityEnd = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        var authority = rest[..<authorityEnd]
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.index(after: at)...] }
        (host, port) = Self.hostAndPort(authority, scheme: scheme)
        (path, query) = Self.pathAndQuery(rest[authorityEnd...])
    }

    /// Whether an absolute URL has a path or a query, even if it is only a slash.
    package static func namesPath(_ url: String) -> Bool {
        let bytes = url.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return !url.isEmpty }
        return bytes[colon...].dropFirst(3).prefix { $0 != UInt8(ascii: "#") }
            .contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    }

    /// Replaces path and query by those of the target in a request line, because the target is what was sent.
    package mutating func take(requestLineTarget target: String) {
        if target.utf8.first == UInt8(ascii: "/") {
            (path, query) = Self.pathAndQuery(target.utf8[...])
        } else if let absolute = RequestTarget(url: target) {
            self = absolute
        } else if !target.isEmpty {
            // `*` (RFC 9112, section 3.2.4)
            path = target
            query = nil
        }
    }

    /// The same for a method that may make the target `host:port` (RFC 9112, section 3.2.3): a tunnel may lead
    /// elsewhere than the URL.
    package mutating func take(requestLineTarget target: String, of method: String) {
        guard method == "CONNECT", RequestTarget(url: target) == nil, target.utf8.first != UInt8(ascii: "/") else {
            return take(requestLineTarget: target)
        }
        let (host, port) = Authority.split(target)
        if let port, !host.isEmpty { (self.host, self.port) = (host, port) }
        if !target.isEmpty { (path, query) = (target, nil) }
    }

    /// Whether bytes are a valid scheme (RFC 3986, section 3.1).
    private static func isScheme(_ bytes: Substring.UTF8View) -> Bool {
        guard let first = bytes.first, ASCII.isLetter(first) else { return false }
        return bytes.allSatisfy { ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) }
    }

    private static func hostAndPort(_ authority: Substring.UTF8View, scheme: String) -> (String, Int) {
        let afterHost =
            authority.lastIndex(of: UInt8(ascii: "]")).map { authority.index(after: $0) }
            ?? authority.lastIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        let digits = authority[afterHost...].dropFirst()
        let port = digits.allSatisfy { (0x30...0x39).contains($0) } ? UInt16(Substring(digits)) : nil
        let host = Substring(authority[..<afterHost]).lowercased()
        return (host, port.map(Int.init) ?? Authority.standardPort(of: scheme) ?? 80)
    }

    private static func pathAndQuery(_ text: Substring.UTF8View) -> (String, String?) {
        let mark = text.firstIndex(of: UInt8(ascii: "?"))
        let path = String(Substring(text[..<(mark ?? text.endIndex)]))
        return (path.isEmpty ? "/" : path, mark.map { String(Substring(text[text.index(after: $0)...])) })
    }
}
