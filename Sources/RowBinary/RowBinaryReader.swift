/// Reads values in ClickHouse's format RowBinary, in the order of the columns of a query.
///
/// After the end it reads zeros and empty texts and remembers it in ``isBroken``, so a damaged response yields an error
/// but never a crash.
package struct RowBinaryReader {
    private let bytes: [UInt8]
    private var position = 0
    /// Whether more was read than there is, or a length that cannot be.
    package private(set) var isBroken = false

    /// A reader of those bytes.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether all bytes have been read.
    package var isAtEnd: Bool { position >= bytes.count }

    /// The number of bytes that have been read.
    package var offset: Int { position }

    /// A number of fixed width.
    package mutating func integer<Value: FixedWidthInteger>(_: Value.Type = Value.self) -> Value {
        let width = MemoryLayout<Value>.size
        guard let start = take(width) else { return 0 }
        return Value(
            littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Value.self) })
    }

    /// A number of `Int64`.
    package mutating func int64() -> Int64 { integer() }

    /// A number of `UInt8`.
    package mutating func uint8() -> UInt8 { integer() }

    /// A `UInt8` that is 0 or 1.
    package mutating func flag() -> Bool { uint8() != 0 }

    /// The length of a text or an array.
    package mutating func count() -> Int {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 63 {
            guard let start = take(1) else { return 0 }
            value |= UInt64(bytes[start] & 0x7F) << shift
            if bytes[start] < 0x80 { return Int(value) }
            shift += 7
        }
        isBroken = true
        return 0
    }

    /// A text as bytes.
    package mutating func data() -> [UInt8] {
        let length = count()
        guard let start = take(length) else { return [] }
        return Array(bytes[start..<start + length])
    }

    /// A text; bytes that are not UTF-8 are replaced.
    package mutating func text() -> String {
        let length = count()
        guard let start = take(length) else { return "" }
        return String(decoding: bytes[start..<start + length], as: UTF8.self)
    }

    /// Goes past that many bytes.
    package mutating func skip(_ count: Int) { _ = take(count) }

    /// A value that may be NULL.
    package mutating func nullable<Value>(_ read: (inout RowBinaryReader) -> Value) -> Value? {
        flag() || isBroken ? nil : read(&self)
    }

    /// An array.
    package mutating func array<Value>(_ read: (inout RowBinaryReader) -> Value) -> [Value] {
        let length = count()
        var values: [Value] = []
        // What is not there cannot be in the array; each value has a byte at least.
        guard length <= bytes.count - position else {
            isBroken = true
            return values
        }
        values.reserveCapacity(length)
        for _ in 0..<length where !isBroken { values.append(read(&self)) }
        return values
    }

    /// An array of `Int16`.
    package mutating func int16s() -> [Int16] { integers() }

    /// An array of `Int64`.
    package mutating func int64s() -> [Int64] { integers() }

    private mutating func integers<Value: FixedWidthInteger>() -> [Value] {
        let length = count()
        // What is not there cannot be in the array.
        guard length <= bytes.count / MemoryLayout<Value>.size, let start = take(length * MemoryLayout<Value>.size)
        else {
            isBroken = true
            return []
        }
        return bytes.withUnsafeBytes { bytes in
            (0..<length).map { place in
                Value(
                    littleEndian: bytes.loadUnaligned(
                        fromByteOffset: start + place * MemoryLayout<Value>.size, as: Value.self))
            }
        }
    }

    /// The position of that many bytes, which are then read; nil if they are not there.
    private mutating func take(_ count: Int) -> Int? {
        guard !isBroken, count >= 0, count <= bytes.count - position else {
            isBroken = true
            return nil
        }
        defer { position += count }
        return position
    }
}
