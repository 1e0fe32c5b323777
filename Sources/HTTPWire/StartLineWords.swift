internal import ASCIIBytes

/// The words of a status line: HTTP-version SP status-code SP [ reason-phrase ] (RFC 9112, section 4).
struct StartLineWords {
    /// `1.0`, `1.1`, `2`.
    let version: String
    /// The status; 0 if the second word is no number.
    let status: Int
    let reason: String

    /// Splits a line without spaces around it; several spaces between two words are accepted.
    init(_ line: ArraySlice<UInt8>) {
        (version, status, reason) = line.withUnsafeBufferPointer { line in
            func end(from start: Int) -> Int { ASCII.firstIndex(of: 0x20, from: start, in: line) ?? line.count }
            let versionEnd = end(from: 0)
            var statusStart = min(versionEnd + 1, line.count)
            while statusStart < line.count, line[statusStart] == 0x20 { statusStart += 1 }
            let statusEnd = end(from: statusStart)
            let reasonStart = min(statusEnd + 1, line.count)
            return (
                Self.text(line[min(5, versionEnd)..<versionEnd]), Self.status(line[statusStart..<statusEnd]),
                Self.text(line[reasonStart...])
            )
        }
    }

    private static func status(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        if word.count == 3, word.allSatisfy(ASCII.isDigit) { return word.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        return UInt16(String(decoding: word, as: UTF8.self)).map(Int.init) ?? 0
    }

    /// The text of those bytes; the words of most messages need no new string.
    static func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        func isEqual(_ text: StaticString) -> Bool {
            guard bytes.count == text.utf8CodeUnitCount else { return false }
            return (0..<bytes.count).allSatisfy { bytes[bytes.startIndex + $0] == text.utf8Start[$0] }
        }
        switch bytes.count {
        case 0: return ""
        case 2 where isEqual("OK"): return "OK"
        case 3 where isEqual("1.1"): return "1.1"
        case 3 where isEqual("GET"): return "GET"
        default: return String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
        }
    }
}
