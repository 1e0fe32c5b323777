internal import CZlib
package import HTTPWire

/// Compresses with zlib at its usual settings: gzip (RFC 1952) and deflate, zlib's format (RFC 9110, section 8.4.1.2).
package final class ZlibCompressor: BodyCompressor {
    private var stream = z_stream()
    private var hasFailed = false

    /// A compressor for that coding; nil for codings that zlib does not have, and if there is no memory.
    ///
    /// - Parameters:
    ///   - coding: gzip or deflate.
    ///   - level: from 1, the fastest, to 9, the smallest.
    package init?(coding: CompressedCoding, level: Int) {
        // 15 bits of window; adding 16 selects gzip's envelope.
        let windowBits: Int32
        switch coding {
        case .gzip: windowBits = 15 + 16
        case .deflate: windowBits = 15
        case .brotli, .zstandard: return nil
        }
        let result = deflateInit2_(
            &stream, Int32(clamping: level), Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { return nil }
    }

    deinit { deflateEnd(&stream) }

    package func add(_ bytes: UnsafeRawBufferPointer) {
        // zlib counts input in 32 bits.
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
            rest = rest.dropFirst(piece.count)
            // zlib only reads the input, although it is declared as mutable.
            stream.next_in = UnsafeMutablePointer(
                mutating: piece.baseAddress?.assumingMemoryBound(to: Bytef.self))
            stream.avail_in = UInt32(piece.count)
            run(Z_NO_FLUSH)
        }
    }

    package func finish() -> Int64 {
        stream.next_in = nil
        stream.avail_in = 0
        run(Z_FINISH)
        return hasFailed ? -1 : Int64(clamping: stream.total_out)
    }

    private func run(_ flush: Int32) {
        withUnsafeTemporaryAllocation(of: Bytef.self, capacity: 16_384) { buffer in
            repeat {
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                let result = deflate(&stream, flush)
                // A call with nothing to do is no failure.
                if result < Z_OK && result != Z_BUF_ERROR { hasFailed = true }
            } while stream.avail_out == 0 && !hasFailed
        }
    }
}
