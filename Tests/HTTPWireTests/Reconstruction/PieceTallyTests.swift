@testable import HTTPWire
import Testing

/// The sums against chunks that are written out and read back.
@Suite struct PieceTallyTests {
    private func written(_ sizes: [Int]) -> [UInt8] {
        sizes.flatMap { size in
            bytes("\(String(size, radix: 16))\r\n") + [UInt8](repeating: 0x61, count: size) + bytes("\r\n")
        } + bytes("0\r\n\r\n")
    }

    @Test(arguments: [
        [], [1], [9, 10, 15, 16, 17], [255, 256, 4_095, 4_096], [65_524, 1], Array(repeating: 3, count: 99),
    ])
    func eachPieceIsAChunk(sizes: [Int]) {
        let tally = PieceTally(sizes)
        var reader = ChunkedBody()
        _ = reader.add(written(sizes))
        #expect(reader.isComplete)
        #expect(tally.content == Int64(reader.contentSize))
        #expect(tally.framing + PieceTally.end == Int64(reader.framingSize))
        #expect(tally.count == Int64(sizes.count))
    }

    @Test func piecesThatAreNoneAreNoChunks() {
        #expect(PieceTally([0, -5, .min]) == PieceTally())
    }

    @Test func sumsStopAtTheLargestNumber() {
        let tally = PieceTally([.max, .max])
        #expect(tally.content == .max)
        #expect(tally.framing == 2 * (16 + 4))
        #expect(PieceTally.framing(of: .max, inChunksOf: 1) == .max)
    }

    @Test(arguments: [1, 65_523, 65_524, 65_525, 131_048, 200_000])
    func aBodyInChunksOfABuffer(count: Int) {
        let whole = Array(repeating: 65_524, count: count / 65_524)
        let sizes = whole + (count % 65_524 > 0 ? [count % 65_524] : [])
        #expect(
            PieceTally.framing(of: Int64(count), inChunksOf: 65_524) == Int64(written(sizes).count) - Int64(count))
    }
}

/// A compressor that makes a tenth of what it gets.
private struct Tenth: BodyCompressor {
    var count = 0
    var result: Int64?

    mutating func add(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
    mutating func finish() -> Int64 { result ?? Int64(count / 10) }
}

@Suite struct CompressedSizeEstimatorTests {
    @Test func itCountsWhatComesOutAndWhatWentIn() throws {
        var estimator = try #require(CompressedSizeEstimator(contentEncoding: "gzip") { _, _ in Tenth() })
        for _ in 0..<5 { [UInt8](repeating: 0, count: 20).withUnsafeBytes { estimator.add($0) } }
        #expect(estimator.decoded == 100)
        #expect(estimator.finish() == .decoded(100, recompressed: 10))
    }

    @Test func aCompressorThatFailsIsNoEstimate() throws {
        var estimator = try #require(CompressedSizeEstimator(contentEncoding: "br") { _, _ in Tenth(result: -1) })
        [UInt8](repeating: 0, count: 20).withUnsafeBytes { estimator.add($0) }
        #expect(estimator.finish() == .decoded(20, recompressed: nil))
    }

    @Test(arguments: [("gzip", 6), ("X-GZIP", 6), (" deflate ", 6), ("br", 5), ("zstd", 3)])
    func itUsesTheLevelThatServersUse(name: String, level: Int) {
        var levels: [Int] = []
        _ = CompressedSizeEstimator(contentEncoding: name) {
            levels.append($1)
            return Tenth()
        }
        #expect(levels == [level])
    }

    @Test(arguments: ["", "identity", "gzip, br", "compress", "pack200-gzip"])
    func codingsWithoutACompressorHaveNoEstimate(name: String) {
        #expect(CompressedSizeEstimator(contentEncoding: name) { _, _ in Tenth() } == nil)
    }
}

extension CompressedSizeEstimator? {
    fileprivate static func == (left: Self, right: _OptionalNilComparisonType) -> Bool {
        if case .none = left { true } else { false }
    }
}
