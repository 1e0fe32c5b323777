/// Writes rows in ClickHouse's format RowBinary: the values of a row one after the other, without names or types.
package struct RowBinaryWriter {
    // Its end is room for what comes next, so that most values need no more than a check and a store.
    private var storage: [UInt8] = []
    private var count = 0

    /// A writer that has written nothing.
    package init() {}

    /// What has been written.
    package var bytes: [UInt8] { Array(storage.prefix(count)) }

    /// Forgets what was written, but keeps its memory.
    package mutating func removeAll() { count = 0 }

    /// A number of 64 bits, the lowest byte first.
    package mutating func integer(_ value: Int64) { store(value) }

    /// A number of 64 bits, the lowest byte first.
    package mutating func integer(_ value: UInt64) { store(value) }

    /// A number of 32 bits, the lowest byte first.
    package mutating func integer(_ value: Int32) { store(value) }

    /// A number of 16 bits, the lowest byte first.
    package mutating func integer(_ value: UInt16) { store(value) }

    /// A number of 16 bits, the lowest byte first.
    package mutating func integer(_ value: Int16) { store(value) }

    /// A byte.
    package mutating func integer(_ value: UInt8) { store(value) }

    /// A number of 64 bits as IEEE 754 has it.
    package mutating func double(_ value: Double) { store(value.bitPattern) }

    /// A length, seven bits in a byte, the lowest first.
    package mutating func length(_ value: Int) {
        var value = UInt(bitPattern: value)
        while value >= 0x80 {
            store(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        store(UInt8(truncatingIfNeeded: value))
    }

    /// Bytes after their number.
    package mutating func string(_ value: [UInt8]) {
        length(value.count)
        value.withUnsafeBytes { copy($0) }
    }

    /// A text in UTF-8 after the number of its bytes.
    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 {
            length($0.count)
            copy(UnsafeRawBufferPointer($0))
        }
    }

    /// A number of 64 bits that may be NULL: one byte, which is 1 for NULL, and the number if there is one.
    package mutating func optional(_ value: Int64?) {
        store(UInt8(value == nil ? 1 : 0))
        if let value { store(value) }
    }

    /// A value that may be NULL: one byte, which is 1 for NULL, and the value if there is one.
    package mutating func optional<Value>(_ value: Value?, _ write: (inout RowBinaryWriter, Value) -> Void) {
        store(UInt8(value == nil ? 1 : 0))
        if let value { write(&self, value) }
    }

    @inline(__always)
    private mutating func store<Value: FixedWidthInteger>(_ value: Value) {
        let (start, width) = (count, MemoryLayout<Value>.size)
        reserve(width)
        storage.withUnsafeMutableBytes { $0.storeBytes(of: value.littleEndian, toByteOffset: start, as: Value.self) }
        count = start + width
    }

    private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        let start = count
        reserve(bytes.count)
        storage.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[start...]).copyMemory(from: bytes) }
        count = start + bytes.count
    }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if storage.count - count < more { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(more, storage.count, 1_024)))
    }
}
