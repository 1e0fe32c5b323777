import ContentCoding
import HTTPWire
import Testing

/// Brotli and Zstandard come with libcurl.
@Suite struct LoadedCompressorTests {
    #if os(Linux)
        // Not to the byte: the encoder's version decides.
        @Test(arguments: [(CompressedCoding.brotli, 12 as Int64), (.zstandard, 18)])
        func aPatternBecomesSmall(coding: CompressedCoding, most: Int64) throws {
            var compressor = try #require(coding.compressor(level: coding.usualLevel))
            for _ in 0..<10 { Array(repeating: UInt8(ascii: "a"), count: 100).withUnsafeBytes { compressor.add($0) } }
            let size = compressor.finish()
            #expect((5...most).contains(size))
        }

        @Test(arguments: CompressedCoding.allCases, [0, 1, 16_384, 1_000_000])
        func whatHasNoPatternKeepsItsSize(coding: CompressedCoding, count: Int) throws {
            var compressor = try #require(coding.compressor(level: coding.usualLevel))
            var state: UInt64 = 1
            let bytes = (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
            bytes.withUnsafeBytes { compressor.add($0) }
            let size = compressor.finish()
            #expect(size >= Int64(count))
            #expect(size <= Int64(count) + Int64(count / 1_000) + 64)
        }
    #endif
}
