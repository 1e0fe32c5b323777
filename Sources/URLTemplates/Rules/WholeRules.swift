internal import ASCIIBytes
internal import TrafficModel

/// Rules for a whole value, such as a number, a UUID or a date.
enum WholeRules {
    /// The name of the parameter for that value; nil if no rule matches.
    static func name(of bytes: ArraySlice<UInt8>) -> String? {
        guard let first = bytes.first else { return nil }
        if bytes.count < shortestDigest, bytes.allSatisfy(ASCII.isDigit) { return "{id}" }
        if isUUID(bytes) { return "{uuid}" }
        if isHash(bytes) { return "{hash}" }
        if isULID(bytes) { return "{ulid}" }
        if isDate(bytes) { return "{date}" }
        if isNumber(bytes, isAlone: true) { return "{number}" }
        if bytes.contains(UInt8(ascii: ",")) { return isList(bytes) ? "{list}" : nil }
        if bytes.contains(UInt8(ascii: "@")) { return isEmail(bytes) ? "{email}" : nil }
        guard ASCII.isAlphanumeric(first) || first == UInt8(ascii: "_") || first == UInt8(ascii: "-") else {
            return nil
        }
        return isWebToken(bytes) ? "{token}" : token(bytes)
    }

    /// The template of a token, perhaps after words that name its kind: `cus_{token}`, `sk_test_{token}`.
    private static func token(_ bytes: ArraySlice<UInt8>) -> String? {
        var rest = bytes
        var prefix = 0
        for _ in 0..<mostPrefixes {
            guard let separator = rest.prefix(longestPrefix + 1).firstIndex(of: UInt8(ascii: "_")),
                separator - rest.startIndex >= 2, rest[..<separator].allSatisfy(ASCII.isLower)
            else { break }
            rest = rest[(separator + 1)...]
            if TokenShape(rest)?.isToken == true { prefix = rest.startIndex - bytes.startIndex }
        }
        if prefix > 0 { return String(decoding: bytes.prefix(prefix), as: UTF8.self) + "{token}" }
        return TokenShape(bytes)?.isToken == true ? "{token}" : nil
    }

    private static let mostPrefixes = 3
    private static let longestPrefix = 8

    /// Whether it is a UUID: 8-4-4-4-12 hexadecimal digits (RFC 9562, section 4).
    static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { offset, byte in
            switch offset {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: ASCII.isHex(byte)
            }
        }
    }

    /// This number of digits, that of MD5, always makes a digest: no 64-bit number has more than 20.
    private static let shortestDigest = 32

    /// Whether it is 8 or more hexadecimal digits, one of which is decimal; without that it may be a word.
    static func isHash(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.starts(with: "0x".utf8) ? bytes.dropFirst(2) : bytes
        guard digits.count >= 8, digits.allSatisfy(ASCII.isHex) else { return false }
        return digits.count >= shortestDigest || digits.contains(where: ASCII.isDigit)
    }

    /// Whether it is 26 digits of Crockford's base 32, which hold 128 bits.
    static func isULID(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 26, let first = bytes.first, first >= 0x30, first <= 0x37 else { return false }
        return bytes.allSatisfy { byte in
            ASCII.isDigit(byte) || (ASCII.isLetter(byte) && !"ilou".utf8.contains(byte | 0x20))
        }
    }

    /// Whether it is a date such as `2026-11-21`; after a `T` only characters of a time may follow.
    ///
    /// These are digits, signs, colons (also as `%3A`) and `Z`.
    static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 10 else { return false }
        let date = Array(bytes.prefix(10))
        for (offset, byte) in date.enumerated() {
            let isRight = offset == 4 || offset == 7 ? byte == UInt8(ascii: "-") : ASCII.isDigit(byte)
            guard isRight else { return false }
        }
        let month = Int(date[5] - 0x30) * 10 + Int(date[6] - 0x30)
        let day = Int(date[8] - 0x30) * 10 + Int(date[9] - 0x30)
        guard (1...12).contains(month), (1...31).contains(day) else { return false }
        let time = bytes.dropFirst(10)
        guard let mark = time.first else { return true }
        guard mark == UInt8(ascii: "T") || mark == UInt8(ascii: "t"), time.count > 1 else { return false }
        return time.dropFirst().allSatisfy { ASCII.isDigit($0) || ":.+-%AaZz".utf8.contains($0) }
    }

    /// Whether it is a signed or decimal number; if it is the whole value, it must not look like a version, as `1.5`
    /// does.
    static func isNumber(_ bytes: ArraySlice<UInt8>, isAlone: Bool) -> Bool {
        let isSigned = bytes.first == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "+")
        let digits = isSigned ? bytes.dropFirst() : bytes
        guard let first = digits.first, let last = digits.last, ASCII.isDigit(first), ASCII.isDigit(last),
            digits.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") })
        else { return false }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return false }
        return !isAlone || isSigned || (parts.count == 2 && parts[1].count >= 3)
    }

    private static func isList(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return parts.count >= 2
            && parts.allSatisfy { isNumber($0, isAlone: false) || isUUID($0) || isHash($0) || isULID($0) }
    }

    /// Whether it is a mail address of a usual form, not all that RFC 5321, section 4.1.2 allows; `logo@2x.png` is
    /// none.
    private static func isEmail(_ bytes: ArraySlice<UInt8>) -> Bool {
        let halves = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard halves.count == 2, (1...64).contains(halves[0].count),
            halves[0].allSatisfy({ ASCII.isAlphanumeric($0) || $0 >= 0x80 || "._+-%'&".utf8.contains($0) })
        else { return false }
        let labels = halves[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let top = labels.last, (2...24).contains(top.count), top.allSatisfy(ASCII.isLetter),
            !endings.contains(String(decoding: top, as: UTF8.self).lowercased())
        else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { ASCII.isAlphanumeric($0) || $0 >= 0x80 || $0 == UInt8(ascii: "-") }
        }
    }

    private static let endings: Set<String> = [
        "avif", "css", "gif", "gz", "html", "ico", "jpeg", "jpg", "js", "json", "map", "mjs", "pdf", "png", "svg",
        "tgz", "ts", "txt", "webp", "xml", "zip",
    ]

    /// Whether it is a JSON Web Token (RFC 7519): parts in base64url, the first of which is an object.
    private static func isWebToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.starts(with: "eyJ".utf8) else { return false }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return (2...5).contains(parts.count)
            && bytes.allSatisfy { ASCII.isAlphanumeric($0) || "._-=".utf8.contains($0) }
    }
}
