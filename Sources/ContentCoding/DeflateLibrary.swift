/// libdeflate, which makes gzip (RFC 1952) of whole contents for half of what zlib takes, if the system has it.
///
/// `@unchecked Sendable`: functions of a library that is never unloaded.
struct DeflateLibrary: @unchecked Sendable {
    private typealias Allocate = @convention(c) (Int32) -> OpaquePointer?
    private typealias Bound = @convention(c) (OpaquePointer?, Int) -> Int
    private typealias Compress =
        @convention(c) (OpaquePointer, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int) -> Int
    private typealias Free = @convention(c) (OpaquePointer) -> Void

    /// The system's library; nil if there is none, or one that lacks what is called here.
    static let system = DeflateLibrary()

    private let allocate: Allocate
    private let bound: Bound
    private let compress: Compress
    private let free: Free

    private init?() {
        guard let library = LoadedLibrary("libdeflate.so.0"),
            let allocate = library.function("libdeflate_alloc_compressor", as: Allocate.self),
            let bound = library.function("libdeflate_gzip_compress_bound", as: Bound.self),
            let compress = library.function("libdeflate_gzip_compress", as: Compress.self),
            let free = library.function("libdeflate_free_compressor", as: Free.self)
        else { return nil }
        self.allocate = allocate
        self.bound = bound
        self.compress = compress
        self.free = free
    }

    /// Bytes as gzip; nil if there is no memory.
    func gzip(_ bytes: UnsafeRawBufferPointer, level: Int) -> [UInt8]? {
        guard let compressor = allocate(Int32(clamping: level)) else { return nil }
        defer { free(compressor) }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bound(compressor, bytes.count), alignment: 16)
        defer { room.deallocate() }
        let size = compress(compressor, bytes.baseAddress, bytes.count, room.baseAddress, room.count)
        // The bound is enough for all contents.
        return size > 0 ? [UInt8](room.prefix(size)) : nil
    }
}
