/// Turns paths into the templates that name an API: `/users/42/posts` becomes `/users/{id}/posts`.
///
/// Plain rules, segment by segment; what no rule knows stays as it was sent:
///
/// | segment | becomes |
/// | --- | --- |
/// | digits | `{id}` |
/// | a UUID | `{uuid}` |
/// | 8 or more hexadecimal digits, a decimal one among them | `{hash}` |
/// | an ISO 8601 date, also with a time | `{date}` |
/// | one of these with a file's ending, `42.json` | the same, `{id}.json` |
package struct URLTemplate: Hashable, Sendable {
    /// The longest template in bytes; what is longer ends in `/…`.
    package let limit: Int

    /// Rules whose templates have at most that many bytes.
    package init(limit: Int = 512) { self.limit = max(16, limit) }

    /// The template of a path.
    ///
    /// - Parameter path: as sent, without its query.
    /// - Returns: at most ``limit`` bytes; `/` for an empty path.
    package func template(of path: String) -> String {
        if path.isEmpty { return "/" }
        var template = ""
        template.reserveCapacity(min(path.utf8.count, limit))
        var isFirst = true
        for segment in path.split(separator: "/", omittingEmptySubsequences: false) {
            let part = Self.name(of: segment)
            let room = limit - template.utf8.count - (isFirst ? 0 : 1)
            // Five bytes stay free for the mark.
            if (part?.utf8.count ?? segment.utf8.count) > room - 5 {
                // A segment that is too long by itself, in a path that starts without a slash.
                return template + "/…"
            }
            if !isFirst { template += "/" }
            if let part { template += part } else { template += segment }
            isFirst = false
        }
        return template
    }

    /// What stands for that segment; nil where it stays.
    private static func name(of segment: Substring) -> String? {
        guard segment.utf8.contains(where: { $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        let bytes = Array(segment.utf8)
        if let name = variable(bytes[...]) { return name }
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), let name = variable(bytes[..<dot]) else { return nil }
        let ending = bytes[(dot + 1)...]
        guard let first = ending.first, ending.count <= 5, isLetter(first), ending.allSatisfy(isAlphanumeric)
        else { return nil }
        return name + "." + String(decoding: ending, as: UTF8.self)
    }

    private static func variable(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let first = bytes.first, isHex(first) else { return nil }
        if bytes.allSatisfy(isDigit) { return "{id}" }
        if isUUID(bytes) { return "{uuid}" }
        if bytes.count >= 8 && bytes.allSatisfy(isHex) && bytes.contains(where: isDigit) { return "{hash}" }
        return isDate(bytes) ? "{date}" : nil
    }

    private static func isUUID(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { offset, byte in
            switch offset {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: isHex(byte)
            }
        }
    }

    /// `2026-11-21`, and behind a `T` only what a time is written with: digits, signs, colons (also as `%3A`), `Z`.
    private static func isDate(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard bytes.count >= 10 else { return false }
        let date = Array(bytes.prefix(10))
        for (offset, byte) in date.enumerated() {
            let isRight = offset == 4 || offset == 7 ? byte == UInt8(ascii: "-") : isDigit(byte)
            guard isRight else { return false }
        }
        let month = Int(date[5] - 0x30) * 10 + Int(date[6] - 0x30)
        let day = Int(date[8] - 0x30) * 10 + Int(date[9] - 0x30)
        guard (1...12).contains(month), (1...31).contains(day) else { return false }
        let time = bytes.dropFirst(10)
        guard let mark = time.first else { return true }
        guard mark == UInt8(ascii: "T") || mark == UInt8(ascii: "t"), time.count > 1 else { return false }
        return time.dropFirst().allSatisfy { isDigit($0) || ":.+-%AaZz".utf8.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
    private static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }
    private static func isHex(_ byte: UInt8) -> Bool {
        isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)
    }
}
