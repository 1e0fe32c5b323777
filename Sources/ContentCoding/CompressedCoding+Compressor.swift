package import HTTPWire

extension CompressedCoding {
    /// A compressor of that coding; nil where the system has none.
    package func compressor(level: Int) -> (any BodyCompressor)? {
        switch self {
        case .gzip, .deflate: ZlibCompressor(coding: self, level: level)
        case .brotli: BrotliCompressor(level: level)
        case .zstandard: ZstandardCompressor(level: level)
        }
    }
}
