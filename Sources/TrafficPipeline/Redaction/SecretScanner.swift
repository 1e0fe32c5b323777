internal import ASCIIBytes
import TrafficModel

/// Finds secrets in text that is, or may contain, a URL: `name=value` pairs with a secret name, user info, and path
/// segments that look like a token after a segment with a secret name.
///
/// Percent-encoding is decoded at any depth, because a URL is often part of another one's query. In doubt a value is
/// taken to be longer: only a character that must end it ends it.
struct SecretScanner {
    /// The kind of text, which decides what ends a value and which mark replaces it.
    enum Context {
        case path, template, query, text
    }

    /// A character, perhaps percent-encoded.
    private struct Unit {
        var byte: UInt8
        /// The number of bytes of the character.
        var length: Int
        /// How many times the character is encoded.
        var depth: Int
    }

    let names: SecretNames
    let context: Context

    /// Finds the secrets in a range of those bytes.
    func scan(_ bytes: [UInt8], in range: Range<Int>, into redactions: inout Redactions) {
        guard mayHoldSecret(bytes[range]) else { return }
        let end = range.upperBound
        var index = range.lowerBound
        var nameStart = index
        /// A name in quotes that has just ended, as in JSON.
        var quotedName: Range<Int>?
        /// How far the end of a user info was searched for in vain; without it, a hostile text would take quadratic
        /// time.
        var searched = index
        /// The character before the name; a query begins as if after its question mark.
        var delimiter = context == .query ? UInt8(ascii: "?") : 0
        while index < end {
            let unit = unit(at: index, in: bytes, end: end)
            let next = index + unit.length
            switch unit.byte {
            case UInt8(ascii: "="):
                if isSecret(bytes[nameStart..<index], behind: delimiter) {
                    index = replaceValue(in: bytes, from: next, to: end, depth: unit.depth, into: &redactions)
                } else {
                    index = next
                }
                nameStart = index
                delimiter = 0
            case UInt8(ascii: ":") where quotedName != nil && nameStart == index:
                index = next
                if let name = quotedName, isSecret(bytes[name], behind: 0) {
                    index = replaceValue(in: bytes, from: next, to: end, depth: unit.depth, into: &redactions)
                }
                quotedName = nil
                nameStart = index
                delimiter = 0
            case UInt8(ascii: "/"):
                index = slash(in: bytes, at: index, unit, segment: nameStart, to: end, &searched, into: &redactions)
                nameStart = index
                delimiter = unit.byte
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                quotedName = nameStart < index ? nameStart..<index : nil
                index = next
                nameStart = index
                delimiter = unit.byte
            case let byte where Self.endsName(byte):
                index = next
                nameStart = index
                delimiter = byte
            default:
                index = next
            }
        }
    }

    /// Whether there is one of the characters that every secret needs; most values have none.
    private func mayHoldSecret(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains { byte in
            byte == UInt8(ascii: "=") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "%")
                || byte == UInt8(ascii: "\"")
        }
    }

    private func isSecret(_ name: ArraySlice<UInt8>, behind delimiter: UInt8) -> Bool {
        let name = name.contains(UInt8(ascii: "%")) ? decoded(name)[...] : name
        if names.contains(name) { return true }
        // The one-time code of an OAuth redirect; elsewhere a `code` is no secret.
        return "?&#".utf8.contains(delimiter) && FieldName.equals(name, "code")
    }

    // MARK: Values

    /// Replaces the value that begins at `start`; returns the index after it.
    private func replaceValue(
        in bytes: [UInt8], from start: Int, to end: Int, depth: Int, into redactions: inout Redactions
    ) -> Int {
        var start = start
        if context == .text {
            while start < end, ASCII.isSpaceOrControl(bytes[start]) { start += 1 }
        }
        guard start < end else { return end }
        let first = unit(at: start, in: bytes, end: end)
        let isQuoted = first.byte == UInt8(ascii: "\"") || first.byte == UInt8(ascii: "'")
        // The first character always belongs to the value, unless it is the `&` of the next item.
        var index = first.byte == UInt8(ascii: "&") ? start : start + first.length
        if isQuoted {
            guard let close = closing(first.byte, in: bytes, from: index, to: end) else {
                redactions.replace(start..<end, with: mark)
                return end
            }
            let after = close + unit(at: close, in: bytes, end: end).length
            let next = after < end ? unit(at: after, in: bytes, end: end).byte : UInt8(ascii: "&")
            if endsValue(next) || ",;)}]".utf8.contains(next) || ASCII.isSpaceOrControl(next) {
                redactions.replace(index..<close, with: mark)
                return after
            }
            index = after
        }
        while index < end {
            let unit = unit(at: index, in: bytes, end: end)
            let mayEnd = unit.depth == 0 ? endsValue(unit.byte) : unit.byte == UInt8(ascii: "&")
            if unit.depth <= depth && mayEnd { break }
            index += unit.length
        }
        redactions.replace(start..<index, with: mark)
        return index
    }

    private func closing(_ quote: UInt8, in bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        var index = start
        while index < end {
            let unit = unit(at: index, in: bytes, end: end)
            if unit.byte == quote { return index }
            index += unit.length
            if unit.byte == UInt8(ascii: "\\"), index < end {
                index += self.unit(at: index, in: bytes, end: end).length
            }
        }
        return nil
    }

    private func endsValue(_ byte: UInt8) -> Bool {
        switch context {
        case .query: byte == UInt8(ascii: "&")
        case .path, .template: byte == UInt8(ascii: "/")
        case .text: ASCII.isSpaceOrControl(byte) || byte == 0x22 || byte == 0x26 || byte == 0x3C || byte == 0x3E
        }
    }

    // MARK: Paths and user info

    /// Handles what follows a slash, such as user info or a token; returns the index from which to continue.
    private func slash(
        in bytes: [UInt8], at index: Int, _ unit: Unit, segment: Int, to end: Int, _ searched: inout Int,
        into redactions: inout Redactions
    ) -> Int {
        let next = index + unit.length
        guard next < end else { return next }
        let second = self.unit(at: next, in: bytes, end: end)
        if second.byte == UInt8(ascii: "/") {
            let authority = next + second.length
            guard let at = userInfoEnd(in: bytes, from: authority, to: end, &searched) else { return authority }
            redactions.replace(authority..<at, with: mark)
            return at
        }
        guard segment < index, names.contains(decoded(bytes[segment..<index])[...]) else { return next }
        var stop = next
        while stop < end {
            let unit = self.unit(at: stop, in: bytes, end: end)
            if unit.byte == UInt8(ascii: "/") || unit.byte == UInt8(ascii: "=") || Self.endsName(unit.byte) { break }
            stop += unit.length
        }
        guard Self.looksLikeToken(bytes[next..<stop]) else { return next }
        redactions.replace(next..<stop, with: mark)
        return stop
    }

    /// The index of the `@` that ends the user info; nil if there is none.
    private func userInfoEnd(in bytes: [UInt8], from start: Int, to end: Int, _ searched: inout Int) -> Int? {
        var index = start
        var last: Int?
        var colon: Int?
        var isAuthority = true
        while index < end {
            let unit = unit(at: index, in: bytes, end: end)
            if ASCII.isSpaceOrControl(unit.byte) || "<>\"".utf8.contains(unit.byte) { break }
            if isAuthority && "/?#&".utf8.contains(unit.byte) {
                // A password may contain these characters unencoded, although it should not. The text after the colon
                // shows whether it is a password or a port.
                guard last == nil, start >= searched, let colon, Self.isNoPort(bytes[colon..<index]) else { break }
                isAuthority = false
            }
            if unit.byte == UInt8(ascii: ":") && colon == nil { colon = index + unit.length }
            if unit.byte == UInt8(ascii: "@") { last = index }
            index += unit.length
        }
        if last == nil { searched = max(searched, index) }
        return last.flatMap { $0 > start ? $0 : nil }
    }

    private static func isNoPort(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.contains { !ASCII.isDigit($0) && !"[]:%".utf8.contains($0) }
    }

    /// Whether it is a long mix of letters and digits, or even longer: words and numbers are shorter.
    private static func looksLikeToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        if bytes.count >= 32 { return true }
        guard bytes.count >= 12 else { return false }
        return bytes.contains(where: ASCII.isDigit) && bytes.contains(where: ASCII.isLetter)
    }

    // MARK: Characters

    private var mark: Redactions.Mark { context == .template ? .template : .url }

    private static func endsName(_ byte: UInt8) -> Bool {
        switch byte {
        // Space, # & ( ) , : ; < > ? \ { | }
        case 0...0x20, 0x23, 0x26, 0x28, 0x29, 0x2C, 0x3A...0x3C, 0x3E, 0x3F, 0x5C, 0x7B...0x7D: true
        default: false
        }
    }

    private func decoded(_ slice: ArraySlice<UInt8>) -> [UInt8] {
        let bytes = Array(slice)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let unit = unit(at: index, in: bytes, end: bytes.count)
            result.append(unit.byte)
            index += unit.length
        }
        return result
    }

    /// The character at that index: `%3D` is an equals sign of depth 1, `%253D` one of depth 2.
    private func unit(at index: Int, in bytes: [UInt8], end: Int) -> Unit {
        let raw = Unit(byte: bytes[index], length: 1, depth: 0)
        guard raw.byte == UInt8(ascii: "%") else { return raw }
        var digits = index + 1
        var depth = 1
        while digits + 3 < end, bytes[digits] == 0x32, bytes[digits + 1] == 0x35,
            ASCII.hexValue(bytes[digits + 2]) != nil, ASCII.hexValue(bytes[digits + 3]) != nil
        {
            digits += 2
            depth += 1
        }
        guard digits + 1 < end, let high = ASCII.hexValue(bytes[digits]), let low = ASCII.hexValue(bytes[digits + 1])
        else { return raw }
        return Unit(byte: high << 4 | low, length: digits + 2 - index, depth: depth)
    }
}
