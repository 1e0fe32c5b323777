/// A host and a port (RFC 3986, section 3.2).
package struct Authority: Hashable, Sendable, CustomStringConvertible {
    /// In small letters; an IPv6 address without its brackets.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host.lowercased()
        self.port = port
    }

    /// Reads `host:port` or `[address]:port`; the port may be left out if there is a default.
    ///
    /// User info is refused
    /// (RFC 9110, section 4.2.4), and so is whatever a resolver or another parser could read differently.
    package init?(_ text: some StringProtocol, defaultPort: UInt16?) {
        let host: Substring
        var rest = Substring(text)
        if rest.first == "[" {
            guard let close = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<close]
            guard host.contains(":"), host.utf8.allSatisfy(Self.isAddressByte) else { return nil }
            rest = rest[rest.index(after: close)...]
        } else {
            host = rest.prefix { $0 != ":" }
            guard host.utf8.allSatisfy(Self.isNameByte) else { return nil }
            rest = rest[host.endIndex...]
        }
        guard !host.isEmpty, host.utf8.count <= 255 else { return nil }
        if rest.isEmpty || rest == ":" {
            guard let defaultPort else { return nil }
            self.init(host: String(host), port: defaultPort)
        } else {
            let digits = rest.dropFirst()
            guard rest.first == ":", digits.utf8.count <= 5, digits.utf8.allSatisfy({ Syntax.digit($0) != nil }),
                let port = UInt16(digits), port > 0
            else { return nil }
            self.init(host: String(host), port: port)
        }
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        Syntax.hexDigit(byte) != nil || byte == Syntax.colon || byte == UInt8(ascii: ".")
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
