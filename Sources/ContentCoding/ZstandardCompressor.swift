internal import HTTPWire

/// Compresses with Zstandard (RFC 8878), by the system's encoder.
final class ZstandardCompressor: BodyCompressor {
    /// `ZSTD_inBuffer` and `ZSTD_outBuffer`: a pointer, a size, a position.
    private struct Buffer {
        var bytes: UnsafeMutableRawPointer?
        var size: Int
        var position = 0
    }

    private typealias Create = @convention(c) () -> OpaquePointer?
    private typealias Set = @convention(c) (OpaquePointer, Int32, Int32) -> Int
    private typealias Compress =
        @convention(c) (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int32) -> Int
    private typealias IsError = @convention(c) (Int) -> UInt32
    private typealias Free = @convention(c) (OpaquePointer) -> Int

    private static let library = LoadedLibrary("libzstd.so.1", "libzstd.dylib")
    // ZSTD_c_compressionLevel, ZSTD_e_continue and ZSTD_e_end of zstd.h.
    private static let level: Int32 = 100
    private static let proceed: Int32 = 0
    private static let end: Int32 = 2

    private let context: OpaquePointer
    private let compress: Compress
    private let isError: IsError
    private let free: Free
    private var size: Int64 = 0
    private var hasFailed = false

    /// A compressor with that level; nil if the system has no such library.
    init?(level: Int) {
        guard let library = Self.library, let create = library.function("ZSTD_createCCtx", as: Create.self),
            let set = library.function("ZSTD_CCtx_setParameter", as: Set.self),
            let compress = library.function("ZSTD_compressStream2", as: Compress.self),
            let isError = library.function("ZSTD_isError", as: IsError.self),
            let free = library.function("ZSTD_freeCCtx", as: Free.self), let context = create()
        else { return nil }
        _ = set(context, Self.level, Int32(clamping: level))
        self.context = context
        self.compress = compress
        self.isError = isError
        self.free = free
    }

    deinit { _ = free(context) }

    func add(_ bytes: UnsafeRawBufferPointer) { run(Self.proceed, bytes) }

    func finish() -> Int64 {
        run(Self.end, UnsafeRawBufferPointer(start: nil, count: 0))
        return hasFailed ? -1 : size
    }

    private func run(_ operation: Int32, _ bytes: UnsafeRawBufferPointer) {
        // The library reads the input and does not write to it.
        var input = Buffer(bytes: UnsafeMutableRawPointer(mutating: bytes.baseAddress), size: bytes.count)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16_384) { buffer in
            var rest = 0
            repeat {
                var output = Buffer(bytes: UnsafeMutableRawPointer(buffer.baseAddress), size: buffer.count)
                rest = withUnsafeMutablePointer(to: &output) { output in
                    withUnsafeMutablePointer(to: &input) { compress(context, output, $0, operation) }
                }
                if isError(rest) != 0 { hasFailed = true }
                size += Int64(output.position)
            } while !hasFailed && (input.position < input.size || (operation == Self.end && rest > 0))
        }
    }
}
