package import HTTPWire

extension CompressedCoding {
    /// A compressor for that coding; nil if the system has no library for it.
    package func compressor(level: Int) -> (any BodyCompressor)? {
        switch self {
        case .gzip, .deflate: ZlibCompressor(coding: self, level: level)
        case .brotli: BrotliCompressor(level: level)
        case .zstandard: ZstandardCompressor(level: level)
        }
    }
}
