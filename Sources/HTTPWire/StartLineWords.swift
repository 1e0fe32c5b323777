internal import ASCIIBytes

/// The words of a status line: HTTP-version SP status-code SP [ reason-phrase ] (RFC 9112, section 4).
struct StartLineWords {
    /// `1.0`, `1.1`, `2`.
    let version: String
    /// The status; 0 if there are no digits that white space, a lone CR or the line's end follows, as for
    /// ``HTTP1Scanner``.
    let status: Int
    let reason: String

    /// Splits a line without spaces around it; several spaces between two words are accepted.
    init(_ line: ArraySlice<UInt8>) {
        (version, status, reason) = line.withUnsafeBufferPointer { line in
            func end(from start: Int) -> Int { ASCII.firstIndex(of: 0x20, from: start, in: line) ?? line.count }
            let versionEnd = end(from: 0)
            var statusStart = min(versionEnd + 1, line.count)
            while statusStart < line.count, line[statusStart] == 0x20 { statusStart += 1 }
            let statusEnd = line[statusStart...].firstIndex { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ?? line.count
            let reasonStart = min(statusEnd + 1, line.count)
            return (
                Self.text(line[min(5, versionEnd)..<versionEnd]), Self.status(line[statusStart..<statusEnd]),
                Self.text(line[reasonStart...])
            )
        }
    }

    private static func status(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        guard word.allSatisfy(ASCII.isDigit) else { return 0 }
        let number = word.reduce(0) { min(1_000, $0 * 10 + Int($1 - 0x30)) }
        return number < 1_000 ? number : 0
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
