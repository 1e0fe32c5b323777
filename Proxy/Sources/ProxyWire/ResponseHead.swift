/// What the proxy must know of a response's header section; it is sent on as it came.
package struct ResponseHead {
    package let status: Int
    /// Of a response to another method than HEAD and CONNECT.
    package let body: BodyLength
    /// Whether it says that it is the connection's last one.
    package let wantsClose: Bool

    package var isInterim: Bool { (100..<200).contains(status) && status != 101 }

    /// Reads a section with its empty line, all of `bytes`; nil if it is none that can be followed by another response:
    /// the server may send what it likes, and the client is to get it, but only until the connection's end.
    package init?(_ bytes: Bytes) {
        guard bytes.count > 12, bytes[0..<9].starts(with: "HTTP/1.".utf8), bytes[8] == Syntax.space,
            let minor = Syntax.digit(bytes[7]), let first = Syntax.digit(bytes[9]),
            let second = Syntax.digit(bytes[10]),
            let third = Syntax.digit(bytes[11]), first >= 1,
            [Syntax.space, Syntax.tab, Syntax.cr, Syntax.lf].contains(bytes[12])
        else { return nil }
        status = Int(first * 100 + second * 10 + third)
        var fields = BodyFields()
        var saysClose = false
        var saysKeepAlive = false
        guard let lf = bytes.firstIndex(of: Syntax.lf, in: 0..<bytes.count) else { return nil }
        var begin = lf + 1
        // The line before: whether there is one, and whether it says how the body ends.
        var isField = false
        var isFraming = false
        var isUncertain = false
        while let end = bytes.firstIndex(of: Syntax.lf, in: begin..<bytes.count) {
            var content = begin..<end
            begin = end + 1
            if let last = content.last, bytes[last] == Syntax.cr { content = content.lowerBound..<last }
            if isField, let first = content.first, Syntax.isWhitespace(bytes[first]) {
                // It continues the line before (RFC 9112, section 5.2), and not every client reads it so.
                if isFraming { isUncertain = true }
                continue
            }
            isField = isField || !content.isEmpty
            isFraming = false
            guard let colon = bytes.firstIndex(of: Syntax.colon, in: content) else { continue }
            // What clients accept from servers is more than RFC 9112 allows.
            let name = bytes.trimmed(content.lowerBound..<colon)
            let line = FieldLines.Line(
                whole: content, name: name, value: bytes.trimmed(colon + 1..<content.upperBound))
            fields.add(line, of: bytes)
            isFraming = bytes.matches(name, "content-length") || bytes.matches(name, "transfer-encoding")
            if bytes.matches(name, "connection") || bytes.matches(name, "proxy-connection") {
                bytes.forEachElement(of: line.value) { element in
                    if bytes.matches(element, "close") { saysClose = true }
                    if bytes.matches(element, "keep-alive") { saysKeepAlive = true }
                }
            }
        }
        let hasNone = status < 200 || status == 204 || status == 304
        body = hasNone ? .none : isUncertain ? .untilClose : fields.ofResponse()
        wantsClose = saysClose || (minor == 0 && !saysKeepAlive)
    }
}
