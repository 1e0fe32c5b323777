/// Classes of ASCII characters, and what follows from them: comparison without case, trimming, percent-decoding.
///
/// Parsers, the redactor and the templates must agree about these, or a secret slips through between two of them.
///
/// They are public because only then they are inlined in other rooms, which call them for each byte; no product has them.
public enum ASCII {
    // MARK: White space

    /// Space and tab: the optional white space around the value of a field (RFC 9110, section 5.6.3).
    @inlinable
    public static func isOptionalSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Space, tab, CR and LF: the bytes around the value of a line that may be folded (RFC 9112, section 5.2).
    @inlinable
    public static func isSpaceOrLineEnd(_ byte: UInt8) -> Bool {
        isOptionalSpace(byte) || byte == 0x0D || byte == 0x0A
    }

    /// Space and all control characters below it.
    ///
    /// It is for the redactor: HTML takes a form feed for white space, and some parsers also skip a vertical tab or a
    /// null byte. So what only one parser skips must not separate a name from its secret.
    @inlinable
    public static func isSpaceOrControl(_ byte: UInt8) -> Bool { byte <= 0x20 }

    /// The bytes without those at both ends that are in a class, such as ``isOptionalSpace(_:)``.
    @inlinable
    public static func trimmed<Bytes: BidirectionalCollection<UInt8>>(
        _ bytes: Bytes, of isSpace: (UInt8) -> Bool
    ) -> Bytes.SubSequence {
        var rest = bytes[...]
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }

    // MARK: Searching

    /// The index of the first such byte, at or after `start`; nil if there is none.
    ///
    /// Looks at eight bytes at a time.
    @inlinable
    public static func firstIndex(of byte: UInt8, from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return nil }
        let wanted = UInt64(byte) &* 0x0101_0101_0101_0101
        var index = start
        while index &+ 8 <= bytes.count {
            // A byte of `word` is 0 where the wanted one is; the lowest bit that is set marks the first of them.
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ wanted
            let found = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if found != 0 { return index &+ found.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < bytes.count {
            if bytes[index] == byte { return index }
            index &+= 1
        }
        return nil
    }

    // MARK: Letters and digits

    /// Whether it is a decimal digit.
    @inlinable
    public static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    /// Whether it is a letter in upper case.
    @inlinable
    public static func isUpper(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
    /// Whether it is a letter in lower case.
    @inlinable
    public static func isLower(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
    /// Whether it is a letter of either case.
    @inlinable
    public static func isLetter(_ byte: UInt8) -> Bool { isLower(byte | 0x20) }
    /// Whether it is a letter or a decimal digit.
    @inlinable
    public static func isAlphanumeric(_ byte: UInt8) -> Bool { isDigit(byte) || isLetter(byte) }

    /// The letter in lower case; every other byte stays.
    @inlinable
    public static func lowercased(_ byte: UInt8) -> UInt8 { isUpper(byte) ? byte | 0x20 : byte }

    /// Whether two texts are equal but for the case of ASCII letters; all other bytes must be the same.
    @inlinable
    public static func equalsIgnoringCase(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }

    // MARK: Hexadecimal digits

    /// Whether it is a hexadecimal digit of either case.
    @inlinable
    public static func isHex(_ byte: UInt8) -> Bool { hexValue(byte) != nil }

    /// The value of a hexadecimal digit of either case; nil for any other byte.
    @inlinable
    public static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// The bytes with each `%XX` decoded once (RFC 3986, section 2.1); other percent signs stay.
    public static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex, let high = hexValue(bytes[index + 1]),
                let low = hexValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }
}
