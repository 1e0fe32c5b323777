internal import CZlib
package import HTTPWire

/// What a body in a coding of zlib's holds, as far as it can be told.
package struct ZlibContent: Hashable, Sendable {
    /// How the end was reached.
    package enum Ending: Hashable, Sendable {
        /// The whole content is there.
        case whole
        /// The body ends too early.
        case cut
        /// From some place on the bytes are none of that coding.
        case malformed
        /// There is more than was asked for.
        case limit
    }

    /// The decoded bytes; with another ending than `whole`, those that came before it.
    package private(set) var bytes: [UInt8] = []
    /// How the end was reached.
    package private(set) var ending = Ending.cut

    /// Decodes a body; nil for codings that are not zlib's, and where there is no memory.
    ///
    /// Deflate is zlib's format; some servers send it without that envelope, and it is read all the same
    /// (RFC 9110, section 8.4.1.2).
    ///
    /// - Parameters:
    ///   - body: the bytes as they were sent.
    ///   - coding: gzip or deflate.
    ///   - limit: how many decoded bytes are wanted at most.
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
                // zlib reads it and is not declared so.
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
