/// A request's header section: what the proxy must know of it, and how it is sent on (RFC 9112, sections 3 and 5).
///
/// It holds offsets into the bytes that it was made of, which it does not keep.
package struct RequestHead {
    package enum Target {
        /// Of CONNECT.
        case authority(Authority)
        /// Of any other method to a proxy: `http://` and where it goes.
        case absolute(Authority, isTLS: Bool)
        /// To a server: a path, or `*`.
        case origin
    }

    package let method: Range<Int>
    package let target: Target
    package let body: BodyLength
    /// Whether a response to it never has a body (RFC 9110, section 9.3.2).
    package let isHEAD: Bool
    package let isConnect: Bool
    /// Whether the client ends the connection after the response, or cannot keep it (RFC 9112, section 9.3).
    package let wantsClose: Bool

    /// Whether the client offers to go on in another protocol (RFC 9110, section 7.8).
    package let offersUpgrade: Bool
    /// Whether the client waits for 100 before it sends the body (RFC 9110, section 10.1.1).
    package let expectsContinue: Bool

    /// The path and query in the target; empty if it has none.
    let path: Range<Int>
    private let lineEnd: Int
    private let count: Int
    /// Field lines for the proxy itself.
    private let hopLines: [Range<Int>]
    private let host: (line: Range<Int>, value: Range<Int>)?

    /// Reads a section with its empty line, all of `bytes`.
    package init(_ bytes: Bytes) throws(Malformed) {
        guard let lf = bytes.firstIndex(of: Syntax.lf, in: 0..<bytes.count), lf > 0, bytes[lf - 1] == Syntax.cr else {
            throw .line
        }
        count = bytes.count
        lineEnd = lf + 1
        let line = 0..<lf - 1
        guard let methodEnd = bytes.firstIndex(of: Syntax.space, in: line), methodEnd > 0,
            let targetEnd = bytes.firstIndex(of: Syntax.space, in: methodEnd + 1..<line.upperBound),
            targetEnd > methodEnd + 1
        else { throw .requestLine }
        for i in 0..<methodEnd where !Syntax.isTokenByte(bytes[i]) { throw .requestLine }
        let minor = try Self.minorVersion(bytes, targetEnd + 1..<line.upperBound)
        method = 0..<methodEnd
        isHEAD = bytes[method].elementsEqual("HEAD".utf8)
        isConnect = bytes[method].elementsEqual("CONNECT".utf8)
        (target, path) = try Self.target(bytes, methodEnd + 1..<targetEnd, isConnect: isConnect)

        var fields = FieldLines(bytes, from: lineEnd)
        var bodyFields = BodyFields()
        var hopLines: [Range<Int>] = []
        var host: (line: Range<Int>, value: Range<Int>)?
        var expects = false
        var upgrades = false
        var saysClose = false
        var saysKeepAlive = false
        while let field = try fields.next() {
            bodyFields.add(field, of: bytes)
            if bytes.matches(field.name, "host") {
                if host != nil { throw .host }
                host = (field.whole, field.value)
            } else if bytes.starts(field.name, with: "proxy-") {
                hopLines.append(field.whole)
            } else if bytes.matches(field.name, "upgrade") {
                upgrades = true
            } else if bytes.matches(field.name, "expect"), bytes.matches(field.value, "100-continue") {
                expects = true
            }
            if bytes.matches(field.name, "connection") || bytes.matches(field.name, "proxy-connection") {
                bytes.forEachElement(of: field.value) { element in
                    if bytes.matches(element, "close") { saysClose = true }
                    if bytes.matches(element, "keep-alive") { saysKeepAlive = true }
                }
            }
        }
        self.hopLines = hopLines
        self.host = host
        // What comes after the section of a CONNECT is of the tunnel, and no body (RFC 9110, section 9.3.6).
        let body = try bodyFields.ofRequest(minorVersion: minor)
        self.body = isConnect ? .none : body
        offersUpgrade = upgrades
        expectsContinue = expects && self.body != .none
        wantsClose = saysClose || (minor == 0 && !saysKeepAlive)
    }

    /// The host that its field names; nil if there is none, or it is not a host.
    func host(_ bytes: Bytes) -> Authority? { host.flatMap { Authority(bytes.text($0.value), defaultPort: 80) } }

    private static func minorVersion(_ bytes: Bytes, _ range: Range<Int>) throws(Malformed) -> Int {
        guard range.count == 8, bytes[range].starts(with: "HTTP/1.".utf8),
            let digit = Syntax.digit(bytes[range.upperBound - 1]), digit <= 1
        else { throw .version }
        return Int(digit)
    }

    private static func target(
        _ bytes: Bytes, _ range: Range<Int>, isConnect: Bool
    ) throws(Malformed) -> (Target, path: Range<Int>) {
        for i in range where bytes[i] <= Syntax.space || bytes[i] == 0x7F { throw .target }
        if isConnect {
            guard let authority = Authority(bytes.text(range), defaultPort: nil) else { throw .target }
            return (.authority(authority), range.upperBound..<range.upperBound)
        }
        if bytes[range.lowerBound] == UInt8(ascii: "/")
            || (range.count == 1 && bytes[range.lowerBound] == UInt8(ascii: "*"))
        {
            return (.origin, range)
        }
        let isTLS = bytes.starts(range, with: "https://")
        guard isTLS || bytes.starts(range, with: "http://") else { throw .target }
        let begin = range.lowerBound + (isTLS ? 8 : 7)
        var end = begin
        while end < range.upperBound, bytes[end] != UInt8(ascii: "/"), bytes[end] != UInt8(ascii: "?"),
            bytes[end] != UInt8(ascii: "#")
        { end += 1 }
        guard let authority = Authority(bytes.text(begin..<end), defaultPort: isTLS ? 443 : 80) else { throw .target }
        return (.absolute(authority, isTLS: isTLS), end..<range.upperBound)
    }

    /// Who gets the section.
    package enum Recipient {
        case server
        /// An upstream proxy, with the field line of its credentials, if it has any.
        case proxy(authorization: String?)
    }

    /// Calls with what is sent on, piece by piece.
    ///
    /// Of a target in absolute form, a server gets the path, and a proxy all of it; Host becomes
    /// the target's authority (RFC 9112, section 3.2.2); lines whose names begin with `Proxy-` are for the proxy.
    /// All else is as it came.
    package func forEachPiece(of bytes: Bytes, to recipient: Recipient = .server, _ send: (Bytes) -> Void) {
        var sent = 0
        func pass(to end: Int) {
            if end > sent { send(Bytes(rebasing: bytes[sent..<end])) }
            sent = end
        }
        var authority: Authority?
        if case .absolute(let named, let isTLS) = target {
            authority = named
            if case .server = recipient {
                pass(to: method.upperBound + 1)
                // The server of `OPTIONS http://host` is asked as a whole (RFC 9112, section 3.2.4).
                let isOptions = bytes[method].elementsEqual("OPTIONS".utf8)
                if path.isEmpty {
                    Self.with(isOptions ? "*" : "/", send)
                } else if bytes[path.lowerBound] != UInt8(ascii: "/") {
                    Self.with("/", send)
                }
                sent = path.lowerBound
            }
            if let host, isSame(bytes, host.value, named, defaultPort: isTLS ? 443 : 80) { authority = nil }
        }
        // In the order in which they came.
        var changes = hopLines
        if let host, authority != nil { changes.append(host.line) }
        changes.sort { $0.lowerBound < $1.lowerBound }
        for line in changes {
            pass(to: line.lowerBound)
            if let host, let authority, line == host.line, case .absolute(_, let isTLS) = target {
                let hasDefault = authority.port == (isTLS ? 443 : 80)
                let text = authority.description
                Self.with("Host: \(hasDefault ? String(text.prefix(upTo: text.lastIndex(of: ":")!)) : text)\r\n", send)
            }
            sent = line.upperBound
        }
        if case .proxy(let authorization?) = recipient {
            pass(to: count - 2)
            Self.with(authorization, send)
        }
        pass(to: count)
    }

    private func isSame(_ bytes: Bytes, _ value: Range<Int>, _ authority: Authority, defaultPort: UInt16) -> Bool {
        Authority(bytes.text(value), defaultPort: defaultPort) == authority
    }

    private static func with(_ text: String, _ send: (Bytes) -> Void) {
        var text = text
        text.withUTF8 { send(Bytes($0)) }
    }
}
