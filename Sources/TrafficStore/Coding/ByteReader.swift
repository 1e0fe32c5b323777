/// Reads the values of a ``ByteSink`` in the order in which they were appended.
///
/// After the end it reads zeros, so a damaged blob yields a wrong value but never a crash. The bytes must outlive the
/// reader.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Whether all bytes have been read.
    var isAtEnd: Bool { position >= bytes.count }

    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a number of ``ByteSink/appendVarint(_:)``; bits after the 64th are ignored.
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

    /// Reads a number of ``ByteSink/appendSigned(_:)``.
    mutating func signed() -> Int64 {
        let value = varint()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// Reads a number of ``ByteSink/appendWord(_:)``; 0 if fewer than eight bytes are left.
    mutating func word() -> UInt64 {
        let bytes = take(8)
        return bytes.count == 8 ? UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) : 0
    }

    /// Reads that many bytes, or all that are left if they are fewer.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let end = Swift.min(bytes.count, position + Swift.max(0, Swift.min(count, bytes.count)))
        defer { position = end }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<end])
    }

    /// Reads all bytes that are left.
    mutating func rest() -> UnsafeRawBufferPointer { take(bytes.count) }
}
