internal import HTTPWire

/// Compresses with Brotli (RFC 7932), by the system's encoder.
final class BrotliCompressor: BodyCompressor {
    private typealias Create =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
        ) -> OpaquePointer?
    private typealias Set = @convention(c) (OpaquePointer, Int32, UInt32) -> Int32
    private typealias Compress =
        @convention(c) (
            OpaquePointer, Int32, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafePointer<UInt8>?>,
            UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>?
        ) -> Int32
    private typealias HasMore = @convention(c) (OpaquePointer) -> Int32
    private typealias Destroy = @convention(c) (OpaquePointer) -> Void

    private static let library = LoadedLibrary("libbrotlienc.so.1", "libbrotlienc.dylib")
    // BROTLI_PARAM_QUALITY, BROTLI_OPERATION_PROCESS and BROTLI_OPERATION_FINISH of encode.h.
    private static let quality: Int32 = 1
    private static let process: Int32 = 0
    private static let finish: Int32 = 2

    private let state: OpaquePointer
    private let compress: Compress
    private let hasMore: HasMore
    private let destroy: Destroy
    private var size: Int64 = 0
    private var hasFailed = false

    /// A compressor with that quality; nil if the system has no such library.
    init?(level: Int) {
        guard let library = Self.library,
            let create = library.function("BrotliEncoderCreateInstance", as: Create.self),
            let set = library.function("BrotliEncoderSetParameter", as: Set.self),
            let compress = library.function("BrotliEncoderCompressStream", as: Compress.self),
            let hasMore = library.function("BrotliEncoderHasMoreOutput", as: HasMore.self),
            let destroy = library.function("BrotliEncoderDestroyInstance", as: Destroy.self),
            let state = create(nil, nil, nil)
        else { return nil }
        _ = set(state, Self.quality, UInt32(clamping: level))
        self.state = state
        self.compress = compress
        self.hasMore = hasMore
        self.destroy = destroy
    }

    deinit { destroy(state) }

    func add(_ bytes: UnsafeRawBufferPointer) { run(Self.process, bytes) }

    func finish() -> Int64 {
        run(Self.finish, UnsafeRawBufferPointer(start: nil, count: 0))
        return hasFailed ? -1 : size
    }

    private func run(_ operation: Int32, _ bytes: UnsafeRawBufferPointer) {
        var left = bytes.count
        var next = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16_384) { buffer in
            repeat {
                var room = buffer.count
                var place = buffer.baseAddress
                if compress(state, operation, &left, &next, &room, &place, nil) == 0 { hasFailed = true }
                size += Int64(buffer.count - room)
            } while (left > 0 || hasMore(state) != 0) && !hasFailed
        }
    }
}
