/// Writes rows in ClickHouse's format RowBinary: the values of a row one after the other, without names or types.
package struct RowBinaryWriter {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []

    /// A writer that has written nothing.
    package init() {}

    /// Forgets what was written, but keeps its memory.
    package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// An integer, the lowest byte first.
    package mutating func integer(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// A number of 64 bits as IEEE 754 has it.
    package mutating func double(_ value: Double) { integer(value.bitPattern) }

    /// A length, seven bits in a byte, the lowest first.
    package mutating func length(_ value: Int) {
        var value = UInt(bitPattern: value)
        while value >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    /// Bytes after their number.
    package mutating func string(_ value: [UInt8]) {
        length(value.count)
        bytes.append(contentsOf: value)
    }

    /// A text in UTF-8 after the number of its bytes.
    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 {
            length($0.count)
            bytes.append(contentsOf: $0)
        }
    }

    /// A value that may be NULL: one byte, which is 1 for NULL, and the value if there is one.
    package mutating func optional<Value>(_ value: Value?, _ write: (inout RowBinaryWriter, Value) -> Void) {
        bytes.append(value == nil ? 1 : 0)
        if let value { write(&self, value) }
    }

    /// Integers after their number.
    package mutating func array(_ values: [some FixedWidthInteger]) {
        length(values.count)
        for value in values { integer(value) }
    }
}
