import Foundation

/// A buffer in which the blobs and texts of one row are built; it is used again for each row.
///
/// SQLite reads the bytes in place, so nothing is allocated or copied between a record and its row. Positions are
/// ranges and not pointers, because appending may move the memory.
final class ByteSink {
    // Checks of exclusive access would cost more than appending a byte. They are not needed: one thread uses a sink,
    // and no method calls other code while it changes the sink.
    @exclusivity(unchecked) private(set) var start: UnsafeMutablePointer<UInt8>
    @exclusivity(unchecked) private(set) var count = 0
    @exclusivity(unchecked) private var capacity: Int

    init(capacity: Int = 4_096) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// Removes what was appended after that position.
    @inline(__always)
    func cut(to place: Int) { count = place }

    @inline(__always)
    func append(_ byte: UInt8) {
        reserve(1)
        start[count] = byte
        count += 1
    }

    @inline(__always)
    func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    @inline(__always)
    func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a number, seven bits in each byte, the lowest bits first; the high bit is set if more bytes follow.
    @inline(__always)
    func appendVarint(_ value: UInt64) {
        reserve(10)
        var rest = value
        while rest >= 0x80 {
            start[count] = UInt8(truncatingIfNeeded: rest) | 0x80
            count += 1
            rest >>= 7
        }
        start[count] = UInt8(truncatingIfNeeded: rest)
        count += 1
    }

    /// Appends a number that may be negative; its sign is the lowest bit.
    @inline(__always)
    func appendSigned(_ value: Int64) {
        appendVarint(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Appends a number as eight bytes, little-endian.
    @inline(__always)
    func appendWord(_ value: UInt64) {
        reserve(8)
        UnsafeMutableRawPointer(start + count).storeBytes(of: value.littleEndian, as: UInt64.self)
        count += 8
    }

    /// Whether exactly those bytes were appended from the position 0 on.
    @inline(__always)
    func holds(_ bytes: [UInt8]) -> Bool { count == bytes.count && begins(with: bytes, count) }

    /// Whether the first `length` of those bytes were appended from the position 0 on.
    @inline(__always)
    func begins(with bytes: [UInt8], _ length: Int) -> Bool {
        count >= length && memcmp(start, bytes, length) == 0
    }

    /// Replaces a byte that was appended before.
    @inline(__always)
    func replace(at place: Int, with byte: UInt8) { start[place] = byte }

    @inline(__always)
    private func reserve(_ more: Int) {
        if count + more > capacity { grow(more) }
    }

    @inline(never)
    private func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
    }
}
