/// A host with its port where that is not the scheme's own: what tells one service of a machine from another.
///
/// `api.example.com` is that host at port 443 of `https` or port 80 of `http`, `127.0.0.1:8080` one service of many there,
/// `[::1]:8080` the same with an address of IPv6, which has brackets (RFC 3986, section 3.2.2).
package enum Authority {
    /// The port of URLs that name none (RFC 9110, section 4.2; RFC 6455, section 3); nil for a scheme that is not known.
    ///
    /// Schemes of other protocols are those that a proxy of HTTP fetches or opens a tunnel for.
    package static func standardPort(of scheme: String) -> Int? {
        switch scheme {
        case "http", "ws": 80
        case "https", "wss": 443
        case "ftp": 21
        case "ftps": 990
        case "imap": 143
        case "imaps": 993
        case "pop3": 110
        case "pop3s": 995
        case "smtp": 25
        case "smtps": 465
        default: nil
        }
    }

    /// The host, with the port where it is not the scheme's own; a port of 0 is not known.
    package static func text(host: String, port: Int, scheme: String) -> String {
        let host = bracketed(host)
        return host.isEmpty || port <= 0 || port == standardPort(of: scheme) ? host : "\(host):\(port)"
    }

    /// The host and the port of such a text; an address of IPv6 has a port only after its bracket.
    ///
    /// - Parameter text: a host, or a host and a port, in any case.
    /// - Returns: the host in lower case, and the port; nil where there is none.
    package static func split(_ text: String) -> (host: String, port: Int?) {
        let bytes = text.utf8
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")) {
            let host = bytes[..<colon]
            let digits = bytes[bytes.index(after: colon)...]
            let isAddress = host.contains(UInt8(ascii: ":")) && host.last != UInt8(ascii: "]")
            if !isAddress, digits.allSatisfy({ (0x30...0x39).contains($0) }) {
                let name = bracketed(Substring(host).lowercased())
                // A port may be empty (RFC 3986, section 3.2.3).
                if digits.isEmpty { return (name, nil) }
                if let port = UInt16(Substring(digits)) { return (name, Int(port)) }
            }
        }
        return (bracketed(text.lowercased()), nil)
    }

    /// Whether the host is the machine itself.
    package static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "[::1]" || host.hasSuffix(".localhost")
            || host.hasPrefix("127.") && host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    private static func bracketed(_ host: String) -> String {
        let colons = host.utf8.count { $0 == UInt8(ascii: ":") }
        return colons > 1 && host.utf8.first != UInt8(ascii: "[") ? "[\(host)]" : host
    }
}

/// A host as a user names it: with a port, that one service; without one, or with `:*`, each of its ports.
package struct NamedHost: Hashable, Sendable {
    /// In lower case, an address of IPv6 in brackets.
    package let host: String
    /// Nil for any.
    package let port: Int?

    /// The host of that text, such as `127.0.0.1`, `127.0.0.1:8080` or `127.0.0.1:*`.
    package init(_ text: String) {
        (host, port) = Authority.split(text.hasSuffix(":*") ? String(text.dropLast(2)) : text)
    }

    /// Whether that host and port are meant.
    package func matches(_ host: String, port: Int) -> Bool {
        self.host == host && (self.port == nil || self.port == port)
    }

    /// Whether that authority is meant; one without a port has the port of its scheme, which may be either.
    package func matches(_ authority: String) -> Bool {
        let (host, port) = Authority.split(authority)
        guard self.host == host else { return false }
        guard let wanted = self.port else { return true }
        return port == wanted || port == nil && (wanted == 80 || wanted == 443)
    }
}
