/// A gzip encoder that does not compress: deflate's stored blocks (RFC 1951, section 3.2.4) in a gzip member (RFC 1952).
///
/// Every decoder accepts its output, it needs no library, and the size depends only on the content's size.
package enum StoredGzip {
    /// Encodes content as one gzip member.
    package static func encode(_ content: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var rest = content[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            append(length, to: &result)
            append(~length, to: &result)
            result.append(contentsOf: block)
        } while !rest.isEmpty
        append(crc32(content), to: &result)
        append(UInt32(truncatingIfNeeded: content.count), to: &result)
        return result
    }

    private static func append(_ value: some FixedWidthInteger, to result: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { result.append(contentsOf: $0) }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    /// The checksum of RFC 1952, section 8.
    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var value = ~UInt32(0)
        for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8) }
        return ~value
    }
}
