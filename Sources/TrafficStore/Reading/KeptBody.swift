internal import ContentCoding
internal import HTTPWire

/// What a search looks for in a kept body: the bytes as they were sent and, if these are in gzip or deflate, the content.
enum KeptBody {
    /// The most bytes of decoded content; what comes after them is not searched.
    static let limit = 16 << 20

    /// The content of a body that begins as gzip or deflate does; nil of any other, and if nothing can be decoded.
    ///
    /// What is not whole, because only its first bytes were kept, is decoded as far as it goes.
    static func content(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let coding = coding(bytes),
            let content = ZlibContent(of: Array(bytes), coding: coding, limit: limit), !content.bytes.isEmpty
        else { return nil }
        return content.bytes
    }

    // By the bytes and not by the header, which an exchange may have lost: RFC 1952, section 2.3.1, and RFC 1950, section 2.2.
    private static func coding(_ bytes: UnsafeRawBufferPointer) -> CompressedCoding? {
        guard bytes.count > 2 else { return nil }
        if bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8 { return .gzip }
        let isDeflate = bytes[0] & 0x0F == 8 && bytes[0] >> 4 <= 7 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
        return isDeflate ? .deflate : nil
    }
}
