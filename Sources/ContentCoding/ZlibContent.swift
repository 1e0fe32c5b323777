internal import CZlib
package import HTTPWire

/// The decoded content of a body in gzip or deflate, as far as it can be decoded.
package struct ZlibContent: Hashable, Sendable {
    /// Why decoding ended.
    package enum Ending: Hashable, Sendable {
        /// The content is complete.
        case whole
        /// The body ends before the content does.
        case cut
        /// The rest of the body is not in that coding.
        case malformed
        /// The content is larger than the limit.
        case limit
    }

    /// The decoded bytes; for an ending other than `whole`, those before it.
    package private(set) var bytes: [UInt8] = []
    /// Why decoding ended.
    package private(set) var ending = Ending.cut

    /// Decodes a body; nil for codings that zlib does not have, and if there is no memory.
    ///
    /// Deflate is zlib's format. Some servers send it without that envelope, and this is decoded, too
    /// (RFC 9110, section 8.4.1.2).
    ///
    /// - Parameters:
    ///   - body: the bytes as they were sent.
    ///   - coding: gzip or deflate.
    ///   - limit: the largest number of decoded bytes.
    package init?(of body: [UInt8], coding: CompressedCoding, limit: Int) {
        switch coding {
        case .gzip: guard inflate(body, windowBits: 15 + 16, limit: limit) else { return nil }
        case .deflate:
            guard inflate(body, windowBits: 15, limit: limit) else { return nil }
            if ending == .malformed, bytes.isEmpty, !inflate(body, windowBits: -15, limit: limit) { return nil }
        case .brotli, .zstandard: return nil
        }
    }

    private mutating func inflate(_ body: [UInt8], windowBits: Int32, limit: Int) -> Bool {
        bytes = []
        ending = .cut
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return false
        }
        defer { inflateEnd(&stream) }
        body.withUnsafeBufferPointer { body in
            withUnsafeTemporaryAllocation(of: Bytef.self, capacity: 16_384) { buffer in
                // zlib only reads the input, although it is declared as mutable.
                stream.next_in = UnsafeMutablePointer(mutating: body.baseAddress)
                stream.avail_in = UInt32(clamping: body.count)
                var result = Z_OK
                repeat {
                    stream.next_out = buffer.baseAddress
                    stream.avail_out = UInt32(buffer.count)
                    result = CZlib.inflate(&stream, Z_NO_FLUSH)
                    let room = limit - bytes.count
                    let count = buffer.count - Int(stream.avail_out)
                    bytes.append(contentsOf: buffer.prefix(min(count, room)))
                    if count > room {
                        ending = .limit
                        return
                    }
                } while result == Z_OK && (stream.avail_in > 0 || stream.avail_out == 0)
                switch result {
                case Z_STREAM_END: ending = .whole
                case Z_OK, Z_BUF_ERROR: ending = .cut
                default: ending = .malformed
                }
            }
        }
        return true
    }
}
