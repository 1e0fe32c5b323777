/// Reads what was appended to a ``ByteSink``, in the same order.
///
/// Beyond the end it reads zeros: a damaged blob yields a wrong value, never a crash. The bytes must outlive it.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    /// A reader at the first byte.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { position >= bytes.count }

    /// Reads a byte.
    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

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

    /// Reads eight bytes.
    mutating func word() -> UInt64 {
        let bytes = take(8)
        return bytes.count == 8 ? UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) : 0
    }

    /// Reads that many bytes, or as many as are left.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let end = Swift.min(bytes.count, position + Swift.max(0, Swift.min(count, bytes.count)))
        defer { position = end }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<end])
    }

    /// Reads the rest.
    mutating func rest() -> UnsafeRawBufferPointer { take(bytes.count) }
}
