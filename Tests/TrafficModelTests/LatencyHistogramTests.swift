import Foundation
import TestSupport
import Testing

@testable import TrafficModel

@Suite struct LatencyHistogramTests {
    @Test("Percentiles are within 1.2 % of the exact ones", arguments: 0..<10)
    func errorBound(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var histogram = LatencyHistogram()
        // From 1 µs to about 1,000 s, as many in each octave.
        let values = (0..<5_000).map { _ in
            Int64(
                1_000.0
                    * Double(
                        sign: .plus, exponent: Int.random(in: 0..<30, using: &random),
                        significand: .random(in: 1..<2, using: &random)))
        }
        for value in values { histogram.record(nanoseconds: value) }
        let sorted = values.sorted()
        for share in [0.0, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 1] {
            let exact = Double(sorted[max(0, Int((share * 5_000).rounded(.up)) - 1)])
            let told = Double(try #require(histogram.percentile(share)))
            #expect(abs(told - exact) <= exact * 0.012, "p\(share * 100): \(told) for \(exact)")
        }
    }

    @Test("Merging adds: halves give the same histogram as the whole")
    func merging() {
        var random = SeededGenerator(seed: 1)
        var whole = LatencyHistogram()
        var left = LatencyHistogram()
        var right = LatencyHistogram()
        for index in 0..<1_000 {
            let value = Int64.random(in: -10...5_000_000_000, using: &random)
            whole.record(nanoseconds: value)
            if index % 3 == 0 { left.record(nanoseconds: value) } else { right.record(nanoseconds: value) }
        }
        left.merge(right)
        #expect(left == whole)
        #expect(left.count == 1_000)
        #expect(LatencyHistogram(buckets: whole.buckets, zeroCount: whole.zeroCount) == whole)
    }

    @Test("Powers of two belong to the bucket below them, as in OpenTelemetry")
    func powersOfTwo() {
        for exponent in -20...12 {
            let power = Double(sign: .plus, exponent: exponent, significand: 1)
            #expect(LatencyHistogram.bucket(seconds: power) == exponent * 32 - 1)
            #expect(LatencyHistogram.bucket(seconds: power.nextUp) == exponent * 32)
        }
    }

    @Test("A bucket holds what lies between its bounds")
    func bounds() {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<20_000 {
            let shift = Int64.random(in: 0...62, using: &random)
            let nanoseconds = Int64.random(in: 1...Int64.max, using: &random) >> shift
            guard nanoseconds > 0 else { continue }
            let seconds = Double(nanoseconds) * 1e-9
            let bucket = Double(LatencyHistogram.bucket(seconds: seconds))
            // Wide enough for what the bounds themselves are rounded by.
            #expect(exp2(bucket / 32) < seconds * (1 + 1e-13))
            #expect(exp2((bucket + 1) / 32) >= seconds * (1 - 1e-13))
        }
    }

    @Test("Histograms are equal in whatever order they grew, and show their buckets")
    func order() {
        let durations: [Int64] = [5_000_000, 1_000, 80_000_000_000, 0, 5_000_000, 3_000_000]
        var forward = LatencyHistogram()
        var backward = LatencyHistogram()
        for duration in durations { forward.record(nanoseconds: duration) }
        for duration in durations.reversed() {
            var one = LatencyHistogram()
            one.record(nanoseconds: duration)
            backward.merge(one)
        }
        #expect(forward == backward)
        #expect(forward.buckets.values.reduce(0, +) == 5)
        #expect(forward.buckets.values.max() == 2)
        #expect(forward.buckets.count == 4)
    }

    @Test("An empty histogram has no percentile; durations of nothing are 0")
    func edges() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.5) == nil)
        histogram.record(nanoseconds: 0)
        histogram.record(nanoseconds: -1)
        #expect(histogram.percentile(1) == 0)
        histogram.record(nanoseconds: Int64.max)
        histogram.record(nanoseconds: 1)
        #expect(histogram.count == 4)
        #expect(histogram.percentile(0.75) == 1)
        #expect(LatencyHistogram(buckets: [3: -1, 4: 2], zeroCount: -7).count == 2)
    }
}
