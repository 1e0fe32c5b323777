internal import ASCIIBytes
import TrafficModel

extension Redactor {
    /// Replaces the value of each cookie (RFC 6265, section 4.2.1), but not its name.
    func cookies(_ value: Range<Int>, of bytes: [UInt8], into redactions: inout Redactions) {
        for piece in Self.pieces(of: value, in: bytes) { pair(piece, of: bytes, into: &redactions) }
    }

    /// Replaces the cookie's value (RFC 6265, section 4.1.1), but neither its name nor known attributes.
    func setCookie(_ value: Range<Int>, of bytes: [UInt8], into redactions: inout Redactions) {
        for (offset, piece) in Self.pieces(of: value, in: bytes).enumerated() {
            if offset > 0 && Self.isAttribute(piece, of: bytes) { continue }
            pair(piece, of: bytes, into: &redactions)
        }
    }

    /// Replaces the value of a cookie, and also the name if that may be part of a value.
    private func pair(_ piece: Range<Int>, of bytes: [UInt8], into redactions: inout Redactions) {
        if piece.isEmpty { return }
        guard let equals = bytes[piece].firstIndex(of: UInt8(ascii: "=")) else {
            return redactions.replace(piece, with: .text)
        }
        let name = FieldName.trimmed(piece.lowerBound..<equals, of: bytes)
        let value = FieldName.trimmed((equals + 1)..<piece.upperBound, of: bytes)
        // A name without a value may be Base64 with its padding.
        let hasValue = bytes[value].contains { $0 != UInt8(ascii: "=") }
        guard hasValue, name.count <= 64, FieldName.isToken(bytes[name]) else {
            return redactions.replace(piece, with: .text)
        }
        redactions.replace(value, with: .text)
    }

    /// The parts between semicolons; the whole value if a semicolon may be inside quotes.
    private static func pieces(of value: Range<Int>, in bytes: [UInt8]) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var start = value.lowerBound
        var quotes = 0
        for index in value {
            if bytes[index] == UInt8(ascii: "\"") { quotes += 1 }
            guard bytes[index] == UInt8(ascii: ";") else { continue }
            if quotes % 2 == 1 { return [value] }
            pieces.append(FieldName.trimmed(start..<index, of: bytes))
            start = index + 1
        }
        pieces.append(FieldName.trimmed(start..<value.upperBound, of: bytes))
        return pieces
    }

    /// Whether a part is a known attribute with a value of that attribute's form.
    ///
    /// If several cookies are joined by commas, the next cookie follows the last attribute of the one before.
    private static func isAttribute(_ piece: Range<Int>, of bytes: [UInt8]) -> Bool {
        let equals = bytes[piece].firstIndex(of: UInt8(ascii: "="))
        let name = bytes[FieldName.trimmed(piece.lowerBound..<(equals ?? piece.upperBound), of: bytes)]
        guard let equals else {
            return FieldName.equals(name, "secure") || FieldName.equals(name, "httponly")
                || FieldName.equals(name, "partitioned")
        }
        let value = bytes[FieldName.trimmed((equals + 1)..<piece.upperBound, of: bytes)]
        if FieldName.equals(name, "path") { return value == [UInt8(ascii: "/")] || isPlainPath(value) }
        if FieldName.equals(name, "domain") { return value.count <= 253 && value.allSatisfy(isHostByte) }
        if FieldName.equals(name, "max-age") { return value.count <= 12 && value.allSatisfy { $0 < 0x3A && $0 > 0x2C } }
        if FieldName.equals(name, "expires") { return isDate(value) }
        if FieldName.equals(name, "samesite") {
            return FieldName.equals(value, "lax") || FieldName.equals(value, "strict")
                || FieldName.equals(value, "none")
        }
        if FieldName.equals(name, "priority") {
            return FieldName.equals(value, "low") || FieldName.equals(value, "medium")
                || FieldName.equals(value, "high")
        }
        return false
    }

    private static func isPlainPath(_ value: ArraySlice<UInt8>) -> Bool {
        value.first == UInt8(ascii: "/") && value.count <= 64
            && value.split(separator: UInt8(ascii: "/")).allSatisfy { $0.count < 16 }
            && value.allSatisfy { isHostByte($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "_") }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || ".-:[]".utf8.contains(byte)
    }

    /// Whether it has a date's form: a day's name, a comma, and numbers with a month: `Wed, 21 Oct 2026 07:28:00 GMT`.
    private static func isDate(_ value: ArraySlice<UInt8>) -> Bool {
        guard value.count <= 40 else { return false }
        let words = value.split { " ,-:".utf8.contains($0) }
        return words.allSatisfy { word in
            word.count <= 9 && (word.allSatisfy(ASCII.isDigit) || word.allSatisfy { $0 > 0x40 })
        }
    }
}
