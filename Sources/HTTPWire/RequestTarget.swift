/// A URL taken apart without changing a byte of it: no decoding, no normalising.
package struct RequestTarget: Hashable, Sendable {
    package var scheme: String
    /// In lower case, without brackets around an IPv6 address's own.
    package var host: String
    package var port: Int
    package var path: String
    package var query: String?

    /// Takes apart an absolute URL; nil where it is none. User info and fragment are left out.
    package init?(url: String) {
        guard let mark = url.firstRange(ofString: "://") else { return nil }
        scheme = url[..<mark.lowerBound].lowercased()
        let rest = url[mark.upperBound...].prefix { $0 != "#" }
        let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var authority = rest[..<authorityEnd]
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        (host, port) = Self.hostAndPort(authority, scheme: scheme)
        (path, query) = Self.pathAndQuery(rest[authorityEnd...])
    }

    /// Replaces path and query by those of the target in a request line: what was sent is what counts.
    package mutating func take(requestLineTarget target: String) {
        if target.hasPrefix("/") {
            (path, query) = Self.pathAndQuery(target[...])
        } else if let absolute = RequestTarget(url: target) {
            self = absolute
        } else if !target.isEmpty {
            // `*` (RFC 9112, section 3.2.4), or `host:port` of CONNECT (section 3.2.3)
            path = target
            query = nil
        }
    }

    private static func hostAndPort(_ authority: Substring, scheme: String) -> (String, Int) {
        let standard = scheme == "https" ? 443 : 80
        let afterHost =
            authority.lastIndex(of: "]").map { authority.index(after: $0) }
            ?? authority.lastIndex(of: ":") ?? authority.endIndex
        let port = authority[afterHost...].dropFirst()
        return (authority[..<afterHost].lowercased(), Int(port) ?? standard)
    }

    private static func pathAndQuery(_ text: Substring) -> (String, String?) {
        guard let mark = text.firstIndex(of: "?") else { return (text.isEmpty ? "/" : String(text), nil) }
        let path = text[..<mark]
        return (path.isEmpty ? "/" : String(path), String(text[text.index(after: mark)...]))
    }
}

extension String {
    fileprivate func firstRange(ofString text: String) -> Range<String.Index>? {
        var start = startIndex
        while let candidate = self[start...].firstIndex(of: text.first ?? " ") {
            if self[candidate...].hasPrefix(text) { return candidate..<index(candidate, offsetBy: text.count) }
            start = index(after: candidate)
        }
        return nil
    }
}
