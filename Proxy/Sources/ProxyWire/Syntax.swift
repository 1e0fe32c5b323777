/// Bytes of a message, in place.
///
/// Offsets are from its first byte.
package typealias Bytes = UnsafeRawBufferPointer

enum Syntax {
    static let cr = UInt8(ascii: "\r")
    static let lf = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")

    /// tchar of RFC 9110, section 5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    static func isWhitespace(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }

    static func digit(_ byte: UInt8) -> UInt64? {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") ? UInt64(byte - UInt8(ascii: "0")) : nil
    }

    static func hexDigit(_ byte: UInt8) -> UInt64? {
        if let digit = digit(byte) { return digit }
        let lower = byte | 0x20
        guard lower >= UInt8(ascii: "a"), lower <= UInt8(ascii: "f") else { return nil }
        return UInt64(lower - UInt8(ascii: "a") + 10)
    }
}

extension Bytes {
    /// Whether the bytes there are this word, in any case.
    ///
    /// `word` is in small letters.
    func matches(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for i in 0..<range.count where Syntax.lowercased(self[range.lowerBound + i]) != word.utf8Start[i] {
            return false
        }
        return true
    }

    /// Whether the bytes there begin with this word, in any case.
    ///
    /// `word` is in small letters.
    func starts(_ range: Range<Int>, with word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard range.count >= count else { return false }
        return matches(range.lowerBound..<range.lowerBound + count, word)
    }

    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var i = range.lowerBound
        while i < range.upperBound {
            if self[i] == byte { return i }
            i += 1
        }
        return nil
    }

    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high, Syntax.isWhitespace(self[low]) { low += 1 }
        while high > low, Syntax.isWhitespace(self[high - 1]) { high -= 1 }
        return low..<high
    }

    /// Calls for each element of a list of tokens (RFC 9110, section 5.6.1), without white space.
    func forEachElement(of range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var begin = range.lowerBound
        while begin <= range.upperBound {
            let end = firstIndex(of: Syntax.comma, in: begin..<range.upperBound) ?? range.upperBound
            let element = trimmed(begin..<end)
            if !element.isEmpty { body(element) }
            begin = end + 1
        }
    }

    package func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }
}
