/// Writes rows in ClickHouse's format RowBinary: the values of a row one after the other, without names or types.
///
/// It is public because only then it is inlined in other rooms, which call it for each value; no product has it. It cannot
/// be copied, because its memory is its own.
public struct RowBinaryWriter: ~Copyable {
    @usableFromInline var start: UnsafeMutableRawPointer
    @usableFromInline var next: UnsafeMutableRawPointer
    @usableFromInline var end: UnsafeMutableRawPointer

    /// A writer that has written nothing.
    public init() {
        start = UnsafeMutableRawPointer.allocate(byteCount: 1_024, alignment: 16)
        next = start
        end = start + 1_024
    }

    deinit { start.deallocate() }

    /// What has been written.
    public var bytes: [UInt8] { withBytes { Array($0) } }

    /// Calls a closure with what has been written.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: start, count: next - start))
    }

    /// Forgets what was written, but keeps its memory.
    public mutating func removeAll() { next = start }

    /// A number of 64 bits, the lowest byte first.
    @inlinable @inline(__always)
    public mutating func integer(_ value: Int64) { store(value) }

    /// A number of 64 bits, the lowest byte first.
    @inlinable @inline(__always)
    public mutating func integer(_ value: UInt64) { store(value) }

    /// A number of 32 bits, the lowest byte first.
    @inlinable @inline(__always)
    public mutating func integer(_ value: Int32) { store(value) }

    /// A number of 16 bits, the lowest byte first.
    @inlinable @inline(__always)
    public mutating func integer(_ value: UInt16) { store(value) }

    /// A number of 16 bits, the lowest byte first.
    @inlinable @inline(__always)
    public mutating func integer(_ value: Int16) { store(value) }

    /// A byte.
    @inlinable @inline(__always)
    public mutating func integer(_ value: UInt8) { store(value) }

    /// A number of 64 bits as IEEE 754 has it.
    @inlinable @inline(__always)
    public mutating func double(_ value: Double) { store(value.bitPattern) }

    /// A length, seven bits in a byte, the lowest first.
    @inlinable @inline(__always)
    public mutating func length(_ value: Int) {
        var value = UInt(bitPattern: value)
        while value >= 0x80 {
            store(UInt8(truncatingIfNeeded: value) | 0x80)
            value >>= 7
        }
        store(UInt8(truncatingIfNeeded: value))
    }

    /// Bytes after their number.
    @inlinable
    public mutating func string(_ value: [UInt8]) {
        length(value.count)
        value.withUnsafeBytes { copy($0) }
    }

    /// A text in UTF-8 after the number of its bytes.
    @inlinable
    public mutating func string(_ value: String) {
        var value = value
        value.withUTF8 {
            length($0.count)
            copy(UnsafeRawBufferPointer($0))
        }
    }

    /// A number of 64 bits that may be NULL: one byte, which is 1 for NULL, and the number if there is one.
    @inlinable @inline(__always)
    public mutating func optional(_ value: Int64?) {
        store(UInt8(value == nil ? 1 : 0))
        if let value { store(value) }
    }

    /// A value that may be NULL: one byte, which is 1 for NULL, and the value if there is one.
    @inlinable @inline(__always)
    public mutating func optional<Value>(_ value: Value?, _ write: (inout RowBinaryWriter, Value) -> Void) {
        store(UInt8(value == nil ? 1 : 0))
        if let value { write(&self, value) }
    }

    @inlinable @inline(__always)
    mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(_ value: Value) {
        let width = MemoryLayout<Value>.size
        if end - next < width { grow(by: width) }
        next.storeBytes(of: value.littleEndian, as: Value.self)
        next += width
    }

    @inlinable @inline(__always)
    mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        if end - next < bytes.count { grow(by: bytes.count) }
        next.copyMemory(from: source, byteCount: bytes.count)
        next += bytes.count
    }

    @usableFromInline @inline(never)
    mutating func grow(by more: Int) {
        let count = next - start
        let room = max(2 * (end - start), count + more)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 16)
        larger.copyMemory(from: start, byteCount: count)
        start.deallocate()
        start = larger
        next = larger + count
        end = larger + room
    }
}
