internal import CZlib

/// Encodes gzip (RFC 1952), piece by piece.
package final class GzipEncoder {
    private var stream = z_stream()

    /// An encoder; nil if there is no memory.
    ///
    /// - Parameter level: from 1, the fastest, to 9, the smallest.
    package init?(level: Int) {
        // 15 bits of window; adding 16 selects gzip's envelope.
        let result = deflateInit2_(
            &stream, Int32(clamping: level), Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard result == Z_OK else { return nil }
    }

    deinit { deflateEnd(&stream) }

    /// Encodes the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: the next bytes of the content.
    ///   - isFlushed: whether the receiver can decode all bytes so far from what this call and earlier ones returned.
    /// - Returns: the bytes to send; there may be none if it is not flushed.
    package func add(_ bytes: [UInt8], isFlushed: Bool) -> [UInt8] {
        run(bytes, isFlushed ? Z_SYNC_FLUSH : Z_NO_FLUSH)
    }

    /// Ends the content; nothing may be added afterwards.
    package func finish() -> [UInt8] { run([], Z_FINISH) }

    /// Encodes bytes as gzip, by libdeflate if the system has it; nil if there is no memory.
    ///
    /// The same bytes may become others elsewhere, and after an update of the system.
    package static func encoded(_ bytes: [UInt8], level: Int) -> [UInt8]? {
        bytes.withUnsafeBytes { encoded($0, level: level) }
    }

    /// Encodes bytes as gzip, by libdeflate if the system has it; nil if there is no memory.
    package static func encoded(_ bytes: UnsafeRawBufferPointer, level: Int) -> [UInt8]? {
        DeflateLibrary.system?.gzip(bytes, level: level) ?? encodedByZlib(bytes, level: level)
    }

    /// Encodes bytes as gzip by zlib; nil if there is no memory.
    static func encodedByZlib(_ bytes: UnsafeRawBufferPointer, level: Int) -> [UInt8]? {
        guard let encoder = GzipEncoder(level: level) else { return nil }
        return encoder.run(bytes.bindMemory(to: UInt8.self), Z_NO_FLUSH) + encoder.finish()
    }

    private func run(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] { bytes.withUnsafeBufferPointer { run($0, flush) } }

    private func run(_ bytes: UnsafeBufferPointer<UInt8>, _ flush: Int32) -> [UInt8] {
        var result: [UInt8] = []
        withUnsafeTemporaryAllocation(of: Bytef.self, capacity: 16_384) { buffer in
            // zlib only reads the input, although it is declared as mutable.
            stream.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            stream.avail_in = UInt32(clamping: bytes.count)
            repeat {
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                // The buffer has room, so deflate can fail only if it is misused.
                let status = deflate(&stream, flush)
                precondition(status >= Z_OK || status == Z_BUF_ERROR, "deflate: \(status)")
                result.append(contentsOf: buffer.prefix(buffer.count - Int(stream.avail_out)))
            } while stream.avail_out == 0
        }
        return result
    }
}
