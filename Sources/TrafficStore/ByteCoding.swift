/// Integers in as few bytes as they need: seven bits a byte, the lowest first, the high bit where more follow.
extension [UInt8] {
    /// Appends a number.
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a number that may be negative; the sign goes into the lowest bit.
    mutating func appendSigned(_ value: Int64) {
        appendVarint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }
}

/// Reads what was appended so, in the same order.
///
/// Beyond the end it reads zeros: a damaged blob yields a wrong value, never a crash.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var position = 0

    /// A reader at the first byte.
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { position >= bytes.count }

    /// Reads a number.
    mutating func varint() -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if shift < 64 { value |= UInt64(byte & 0x7F) << shift }
            if byte < 0x80 { break }
            shift += 7
        }
        return value
    }

    /// Reads a number that may be negative.
    mutating func signed() -> Int64 {
        let value = varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads that many bytes, or as many as are left.
    mutating func take(_ count: Int) -> ArraySlice<UInt8> {
        let end = Swift.min(bytes.count, position + Swift.max(0, Swift.min(count, bytes.count)))
        defer { position = end }
        return bytes[position..<end]
    }
}
