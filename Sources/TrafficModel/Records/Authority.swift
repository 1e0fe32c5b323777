import ASCIIBytes

/// A host, with its port if that is not the default port of the scheme: it identifies one service of a machine.
///
/// `api.example.com` is that host at port 443 of `https` or port 80 of `http`. `127.0.0.1:8080` is one of many services
/// on that machine. `[::1]:8080` is the same with an IPv6 address, which has brackets (RFC 3986, section 3.2.2).
package enum Authority {
    /// The port of URLs that name none (RFC 9110, section 4.2; RFC 6455, section 3); nil for an unknown scheme.
    ///
    /// The schemes of other protocols are those that an HTTP proxy fetches, or opens a tunnel for.
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

    /// The host, with the port if it is not the default port of the scheme; a port of 0 means that it is not known.
    package static func text(host: String, port: Int, scheme: String) -> String {
        let host = bracketed(host)
        return host.isEmpty || port <= 0 || port == standardPort(of: scheme) ? host : "\(host):\(port)"
    }

    /// Splits such a text into host and port; an IPv6 address has a port only after its bracket.
    ///
    /// - Parameter text: a host, or a host and a port, in any case.
    /// - Returns: the host in lower case, and the port; nil if there is none.
    package static func split(_ text: String) -> (host: String, port: Int?) {
        let bytes = text.utf8
        if let colon = bytes.lastIndex(of: UInt8(ascii: ":")) {
            let host = bytes[..<colon]
            let digits = bytes[bytes.index(after: colon)...]
            let isAddress = host.contains(UInt8(ascii: ":")) && host.last != UInt8(ascii: "]")
            if !isAddress, digits.allSatisfy(ASCII.isDigit) {
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
            || host.hasPrefix("127.") && host.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    }

    private static func bracketed(_ host: String) -> String {
        let colons = host.utf8.count { $0 == UInt8(ascii: ":") }
        return colons > 1 && host.utf8.first != UInt8(ascii: "[") ? "[\(host)]" : host
    }
}

/// A host as a user names it: with a port, one service; without one, or with `:*`, all of its ports.
package struct NamedHost: Hashable, Sendable {
    /// The host in lower case; an IPv6 address is in brackets.
    package let host: String
    /// The port; nil for any port.
    package let port: Int?

    /// The host of that text, such as `127.0.0.1`, `127.0.0.1:8080` or `127.0.0.1:*`.
    package init(_ text: String) {
        (host, port) = Authority.split(text.hasSuffix(":*") ? String(text.dropLast(2)) : text)
    }

    /// Whether that host and port match.
    package func matches(_ host: String, port: Int) -> Bool {
        self.host == host && (self.port == nil || self.port == port)
    }

    /// Whether that authority matches; one without a port has the port of its scheme, which may be either 80 or 443.
    package func matches(_ authority: String) -> Bool {
        let (host, port) = Authority.split(authority)
        guard self.host == host else { return false }
        guard let wanted = self.port else { return true }
        return port == wanted || port == nil && (wanted == 80 || wanted == 443)
    }
}
