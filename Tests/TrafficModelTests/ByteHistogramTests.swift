import TestSupport
import Testing

@testable import TrafficModel

@Suite struct ByteHistogramTests {
    private func histogram(_ values: some Sequence<Int64>) -> ByteHistogram {
        values.reduce(into: ByteHistogram()) { $0.record($1) }
    }

    @Test("Percentiles are within 1.1 % of the exact ones, or a byte, and the largest is exact", arguments: 0..<10)
    func errorBound(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let values = (0..<5_000).map { _ in
            Int64.random(in: 0...Int64.max >> 20, using: &random) >> Int64.random(in: 0...43, using: &random)
        }
        let histogram = histogram(values)
        let sorted = values.sorted()
        for share in [0.0, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999] {
            let exact = Double(sorted[max(0, Int((share * 5_000).rounded(.up)) - 1)])
            let found = Double(try #require(histogram.percentile(share)).bytes)
            #expect(
                abs(found - exact) <= max(1, exact * LatencyHistogram.error), "p\(share * 100): \(found) for \(exact)")
        }
        #expect(histogram.percentile(1)?.bytes == sorted.last)
        #expect(histogram.max?.bytes == sorted.last)
        #expect(histogram.count == 5_000)
    }

    @Test(
        "Equal numbers have exact percentiles, and so does a single one", arguments: [0, 1, 2, 283, 1 << 40] as [Int64])
    func equal(bytes: Int64) {
        for count in [1, 3, 100] {
            let histogram = histogram(Array(repeating: bytes, count: count))
            #expect([0.01, 0.5, 0.95, 1].map { histogram.percentile($0)?.bytes } == Array(repeating: bytes, count: 4))
            #expect(histogram.counts.isEmpty)
        }
    }

    @Test("p95 of fewer than twenty numbers is the largest") func few() {
        #expect(histogram([300, 301, 302, 9_999]).percentile(0.95) == 9_999)
        #expect(histogram([0, 0, 0, 5]).percentile(0.5) == 0)
        #expect(histogram([-7]).percentile(0.5) == 0)
    }

    @Test("An empty histogram has no percentile and no largest number") func empty() {
        #expect(ByteHistogram().percentile(0.5) == nil)
        #expect(ByteHistogram().max == nil)
    }

    /// Numbers of one bucket, of adjacent ones, of distant ones, and 0.
    static let pieces: [[Int64]] = [
        [], [0], [0, 0], [1], [283], [283, 283], [283, 284], [1_000, 283], [0, 1_000], [5, 9, 70_000, 1 << 33],
        [1, 2, 3],
    ]

    @Test("Merging gives the same histogram as recording all numbers", arguments: pieces, pieces)
    func merging(left: [Int64], right: [Int64]) {
        var merged = histogram(left)
        merged.merge(histogram(right))
        #expect(merged == histogram(left + right))
        #expect(merged == histogram(right.reversed() + left.reversed()))
    }

    @Test("Halves of many numbers give the same histogram as the whole") func halves() {
        var random = SeededGenerator(seed: 1)
        var (whole, left, right) = (ByteHistogram(), ByteHistogram(), ByteHistogram())
        for index in 0..<1_000 {
            let value = Int64.random(in: -10...5_000_000, using: &random) >> Int64.random(in: 0...22, using: &random)
            whole.record(value)
            if index % 3 == 0 { left.record(value) } else { right.record(value) }
        }
        left.merge(right)
        #expect(left == whole)
    }
}
