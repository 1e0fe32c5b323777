import TestSupport
import Testing
import ASCIIBytes

@Suite("Classes of ASCII characters")
struct ASCIITests {
    private static let bytes = (0...255).map { UInt8($0) }

    @Test("Each set of white space is part of the wider ones, and none has a visible character")
    func whiteSpace() {
        #expect(Self.bytes.filter(ASCII.isOptionalSpace) == [0x09, 0x20])
        #expect(Self.bytes.filter(ASCII.isSpaceOrLineEnd) == [0x09, 0x0A, 0x0D, 0x20])
        #expect(Self.bytes.filter(ASCII.isSpaceOrControl) == Array(0...0x20))
    }

    @Test("Letters, digits and their case are those of Unicode's ASCII range, and of no byte above it")
    func classes() {
        for byte in Self.bytes {
            let character = Character(Unicode.Scalar(byte))
            let isASCII = byte < 0x80
            #expect(ASCII.isLetter(byte) == (isASCII && character.isLetter), "\(byte)")
            #expect(ASCII.isDigit(byte) == (isASCII && character.isWholeNumber), "\(byte)")
            #expect(ASCII.isUpper(byte) == (isASCII && character.isUppercase), "\(byte)")
            #expect(ASCII.isLower(byte) == (isASCII && character.isLowercase), "\(byte)")
            let lower = isASCII ? Array(String(character).lowercased().utf8) : [byte]
            #expect([ASCII.lowercased(byte)] == lower, "\(byte)")
            let value = isASCII ? UInt8(String(character), radix: 16) : nil
            #expect(ASCII.hexValue(byte) == value, "\(byte)")
        }
    }

    @Test("Two bytes are equal without case only if they are the same, or the same letter")
    func equality() {
        for left in Self.bytes {
            let equal = Self.bytes.filter { ASCII.equalsIgnoringCase([left], [$0]) }
            #expect(equal == (ASCII.isLetter(left) ? [left & ~0x20, left | 0x20] : [left]), "\(left)")
        }
        #expect(!ASCII.equalsIgnoringCase([], [0x41]))
    }

    @Test("Trimming takes the class from both ends, leaves the rest, and changes nothing the second time")
    func trimming() {
        var random = SeededGenerator(seed: 9)
        for _ in 0..<500 {
            let kinds: [UInt8] = [0x20, 0x09, 0x0A, 0x41, 0x00]
            let bytes: [UInt8] = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                kinds.randomElement(using: &random) ?? 0
            }
            let rest = ASCII.trimmed(bytes, of: ASCII.isOptionalSpace)
            #expect(bytes[..<rest.startIndex].allSatisfy(ASCII.isOptionalSpace))
            #expect(bytes[rest.endIndex...].allSatisfy(ASCII.isOptionalSpace))
            #expect(rest.first.map(ASCII.isOptionalSpace) != true && rest.last.map(ASCII.isOptionalSpace) != true)
            #expect(ASCII.trimmed(rest, of: ASCII.isOptionalSpace) == rest)
        }
    }

    @Test("A search finds the first such byte at or after the start, wherever it is", arguments: 0..<10)
    func firstIndex(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let kinds: [UInt8] = [0x0A, 0x0B, 0x8A, 0x00, 0xFF]
        for _ in 0..<300 {
            let wanted = kinds.randomElement(using: &random) ?? 0
            let others = kinds.filter { Bool.random(using: &random) || $0 != wanted }
            let bytes: [UInt8] = (0..<Int.random(in: 0...40, using: &random)).map { _ in
                others.randomElement(using: &random) ?? 1
            }
            let start = Int.random(in: 0...bytes.count, using: &random)
            let found = bytes.withUnsafeBufferPointer { ASCII.firstIndex(of: wanted, from: start, in: $0) }
            #expect(found == bytes[start...].firstIndex(of: wanted))
        }
        #expect(ASCII.firstIndex(of: 1, from: 0, in: UnsafeBufferPointer(start: nil, count: 0)) == nil)
    }

    @Test("What was percent-encoded is decoded to the same bytes, and other percent signs stay")
    func percent() {
        let digits = Array("0123456789aBcDeF".utf8)
        let encoded = Self.bytes.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        #expect(ASCII.percentDecoded(encoded[...]) == Self.bytes)
        for text in ["%", "%4", "%zz", "100%", "%%", ""] {
            #expect(ASCII.percentDecoded(Array(text.utf8)[...]) == Array(text.utf8))
        }
        #expect(ASCII.percentDecoded(Array("%2541".utf8)[...]) == Array("%41".utf8))
    }
}
