/// A proxy that this one reaches servers through.
package struct UpstreamProxy: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case http
        case https
        case socks5
    }

    /// Of the URL's user info; it is sent to the upstream proxy and shown nowhere.
    package struct Credentials: Hashable, Sendable {
        package let user: [UInt8]
        package let password: [UInt8]
    }

    /// Why a text names no upstream proxy; never with the text, which may hold a password.
    package enum Refusal: Error, Equatable, Sendable {
        case scheme(String)
        case malformed
    }

    package let kind: Kind
    package let authority: Authority
    package let credentials: Credentials?

    /// Reads `http://user:password@host:port`; without a scheme it is `http`, and without a port 1080, or 443 of `https`,
    /// as for curl.
    package init(_ text: String) throws(Refusal) {
        var rest = Substring(text)
        var kind = Kind.http
        if let separator = text.firstRange(of: "://") {
            let scheme = text[..<separator.lowerBound].lowercased()
            switch scheme {
            case "http": kind = .http
            case "https": kind = .https
            // The name is looked up by the upstream proxy either way.
            case "socks5", "socks5h": kind = .socks5
            case "socks", "socks4", "socks4a": throw .scheme(scheme)
            default: throw .malformed
            }
            rest = text[separator.upperBound...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var credentials: Credentials?
        if let at = rest.lastIndex(of: "@") {
            guard let read = Self.credentials(rest[..<at], kind) else { throw .malformed }
            credentials = read
            rest = rest[rest.index(after: at)...]
        }
        guard let authority = Authority(rest, defaultPort: kind == .https ? 443 : 1080) else { throw .malformed }
        self.kind = kind
        self.authority = authority
        self.credentials = credentials
    }

    private static func credentials(_ text: Substring, _ kind: Kind) -> Credentials? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = decoded(parts[0]), let password = decoded(parts.count == 2 ? parts[1] : "") else { return nil }
        switch kind {
        // A colon ends the user (RFC 7617, section 2).
        case .http, .https: if user.contains(Syntax.colon) { return nil }
        // A byte holds each length (RFC 1929, section 2).
        case .socks5: if !(1...255).contains(user.count) || password.count > 255 { return nil }
        }
        return Credentials(user: user, password: password)
    }

    /// With its percent-encoded bytes; nil for half of one, and for control characters.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var i = 0
        while i < bytes.count {
            var byte = bytes[i]
            if byte == UInt8(ascii: "%") {
                guard i + 2 < bytes.count, let high = Syntax.hexDigit(bytes[i + 1]),
                    let low = Syntax.hexDigit(bytes[i + 2])
                else { return nil }
                byte = UInt8(high << 4 | low)
                i += 2
            }
            if byte < Syntax.space || byte == 0x7F { return nil }
            result.append(byte)
            i += 1
        }
        return result
    }

    /// The field line of the credentials (RFC 7617, section 2); nil if there are none.
    package var authorization: String? {
        credentials.map {
            "Proxy-Authorization: Basic \(Base64.encoded($0.user + [Syntax.colon] + $0.password))\r\n"
        }
    }
}

extension UpstreamProxy: CustomStringConvertible {
    /// Without the credentials.
    package var description: String { "\(kind.rawValue)://\(authority)" }
}

enum Base64 {
    /// RFC 4648, section 4.
    static func encoded(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for begin in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[begin..<min(begin + 3, bytes.count)]
            let bits = group.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
            for i in 0..<4 {
                text.append(i <= group.count ? alphabet[bits >> (18 - 6 * i) & 63] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
