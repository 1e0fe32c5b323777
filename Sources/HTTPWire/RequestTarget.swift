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

    /// What precedes the path in a URL, so that other URLs with it need not be split again.
    package struct Origin: Sendable {
        /// The URL up to its path.
        fileprivate let text: [UInt8]
        fileprivate let scheme: String
        fileprivate let host: String
        fileprivate let port: Int

        /// The origin of a URL that was split; nil if it has user info, which may be a secret, or is long.
        package init?(_ url: String, _ target: RequestTarget) {
            let bytes = Array(url.utf8.prefix(256))
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 3 < bytes.count,
                let end = bytes[(colon + 3)...].firstIndex(where: RequestTarget.endsAuthority),
                !bytes[..<end].contains(UInt8(ascii: "@"))
            else { return nil }
            text = Array(bytes[..<end])
            (scheme, host, port) = (target.scheme, target.host, target.port)
        }
    }

    /// Splits an absolute URL that begins with that origin; nil if it has another one.
    package init?(url: String, from origin: Origin) {
        var url = url
        let rest: (path: String, query: String?)? = url.withUTF8 { url in
            let count = origin.text.count
            guard url.count > count, Self.endsAuthority(url[count]), url.starts(with: origin.text) else { return nil }
            let end = ASCII.firstIndex(of: UInt8(ascii: "#"), from: count, in: url) ?? url.count
            let mark = ASCII.firstIndex(of: UInt8(ascii: "?"), from: count, in: url).flatMap { $0 < end ? $0 : nil }
            let path = UnsafeBufferPointer(rebasing: url[count..<(mark ?? end)])
            let query = mark.map { UnsafeBufferPointer(rebasing: url[($0 + 1)..<end]) }
            return (
                path.isEmpty ? "/" : String(decoding: path, as: UTF8.self),
                query.map { String(decoding: $0, as: UTF8.self) }
            )
        }
        guard let rest else { return nil }
        (scheme, host, port) = (origin.scheme, origin.host, origin.port)
        (path, query) = rest
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
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
        if isOriginForm(target) { return }
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

    /// Whether path and query are that text.
    private func isOriginForm(_ target: String) -> Bool {
        let (target, path) = (target.utf8, path.utf8)
        guard target.count == path.count + (query.map { $0.utf8.count + 1 } ?? 0), path.first == UInt8(ascii: "/")
        else { return false }
        guard let query else { return path.elementsEqual(target) }
        return target.withContiguousStorageIfAvailable { target in
            target[path.count] == UInt8(ascii: "?") && path.elementsEqual(target[..<path.count])
                && query.utf8.elementsEqual(target[(path.count + 1)...])
        } ?? false
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
        let port = digits.allSatisfy(ASCII.isDigit) ? UInt16(Substring(digits)) : nil
        let host = Substring(authority[..<afterHost]).lowercased()
        return (host, port.map(Int.init) ?? Authority.standardPort(of: scheme) ?? 80)
    }

    private static func pathAndQuery(_ text: Substring.UTF8View) -> (String, String?) {
        let mark = text.firstIndex(of: UInt8(ascii: "?"))
        let path = String(Substring(text[..<(mark ?? text.endIndex)]))
        return (path.isEmpty ? "/" : path, mark.map { String(Substring(text[text.index(after: $0)...])) })
    }
}
