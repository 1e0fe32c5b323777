import ContentCoding
import HTTPWire
import Testing

@Suite struct ZlibCompressorTests {
    @Test(arguments: [(CompressedCoding.gzip, 29 as Int64), (.deflate, 17)])
    func zlibsSizeIsZlibs(coding: CompressedCoding, size: Int64) throws {
        let compressor = try #require(ZlibCompressor(coding: coding, level: coding.usualLevel))
        // As Python's zlib module has it, in one piece.
        for _ in 0..<10 { Array(repeating: UInt8(ascii: "a"), count: 100).withUnsafeBytes { compressor.add($0) } }
        #expect(compressor.finish() == size)
    }

    @Test(arguments: [0, 1, 16_384, 1_000_000])
    func anyLengthHasASize(count: Int) throws {
        let compressor = try #require(ZlibCompressor(coding: .gzip, level: 6))
        // Without a pattern, so that it does not shrink.
        var state: UInt64 = 1
        let bytes = (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        bytes.withUnsafeBytes { compressor.add($0) }
        let size = compressor.finish()
        #expect(size >= Int64(count) + 18)
        #expect(size <= Int64(count) + 18 + 5 * Int64(count / 16_000 + 1))
    }

    @Test func otherCodingsHaveNoCompressor() {
        #expect(ZlibCompressor(coding: .brotli, level: 5) == nil)
        #expect(ZlibCompressor(coding: .zstandard, level: 3) == nil)
    }
}
