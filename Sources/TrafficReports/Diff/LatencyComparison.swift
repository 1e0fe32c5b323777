package import TrafficModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Decides whether the durations of two runs differ, or the bytes of single calls, from their histograms alone.
///
/// It uses the two-sided test of Mann, Whitney and Wilcoxon with the normal approximation and the corrections for ties
/// and for continuity; durations in one bucket are ties. The test checks whether durations of one run tend to be
/// longer. It assumes nothing about their distribution, but it assumes that they are independent of each other.
///
/// The size of the difference comes from the ratios of all pairs, one duration of each run: their median (the estimator
/// of Hodges and Lehmann, on the logarithm), and the interval of ratios that the test would not reject. All buckets are
/// equally wide on the logarithm, so the ratio of a pair is known to within one bucket; the interval is widened by
/// that. What is said of durations here is true of bytes as well.
package struct LatencyComparison: Hashable, Sendable {
    /// The conclusion about the durations of two runs, once all APIs have been tested.
    package enum Finding: String, Hashable, Sendable, CaseIterable {
        /// The later run's durations are longer.
        case slower
        /// The later run's durations are shorter.
        case faster
        /// The later run's calls weigh more.
        case heavier
        /// The later run's calls weigh less.
        case lighter
        /// The difference is within what chance explains.
        case noise
        /// There are too few durations.
        case tooFew

        /// Whether it says that the runs differ.
        var isDifference: Bool {
            switch self {
            case .slower, .faster, .heavier, .lighter: true
            case .noise, .tooFew: false
            }
        }
    }

    /// The least number of durations in each run; with fewer, a difference can hardly be distinguished from chance.
    package static let least: Int64 = 5

    /// The probability of a difference at least as large as this by chance; 1 if there are too few durations.
    package let chance: Double
    /// The median ratio of a duration after to one before; nil if it is not known.
    package let ratio: Double?
    /// The smallest and largest ratio that the test would not reject at 5 %; nil if they are not known.
    package let interval: ClosedRange<Double>?
    /// Whether both runs have enough durations.
    package let isEnough: Bool

    private let isOfBytes: Bool

    /// Compares the durations of two runs.
    package init(before: LatencyHistogram, after: LatencyHistogram) {
        self.init(before: Self.counts(before), after: Self.counts(after), isOfBytes: false)
    }

    /// Compares the bytes of single calls of two runs.
    package init(before: ByteHistogram, after: ByteHistogram) {
        self.init(before: before.bucketCounts, after: after.bucketCounts, isOfBytes: true)
    }

    private init(before first: [BucketCount], after second: [BucketCount], isOfBytes: Bool) {
        self.isOfBytes = isOfBytes
        let (n, m) = (first.reduce(0) { $0 + $1.count }, second.reduce(0) { $0 + $1.count })
        isEnough = n >= Double(Self.least) && m >= Double(Self.least)
        guard isEnough else {
            (chance, ratio, interval) = (1, nil, nil)
            return
        }
        // A pair counts one if the later run's duration is longer, and one half if they tie.
        let (longer, ties) = Self.pairs(first, second)
        let all = n + m
        let variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)))
        guard variance > 0 else {
            // All durations are in one bucket.
            (chance, ratio, interval) = (1, 1, Self.width(-1)...Self.width(1))
            return
        }
        let deviation = variance.squareRoot()
        let distance = max(0, abs(longer - n * m / 2) - 0.5) / deviation
        chance = min(1, erfc(distance / 2.0.squareRoot()))

        // A duration of 0 has no ratio.
        guard first.first?.bucket != .min, second.first?.bucket != .min else {
            (ratio, interval) = (nil, nil)
            return
        }
        let differences = Self.differences(first, second)
        // On each side, the interval leaves out the number of ratios that the test needs to reject at 5 %.
        let outside = max(0, (n * m / 2 - 0.5 - 1.959_964 * deviation).rounded(.down))
        ratio = Self.width(Self.quantile(differences, (n * m / 2).rounded(.up)))
        interval =
            Self.width(
                Self.quantile(differences, outside + 1) - 1)...Self.width(
                Self.quantile(differences, n * m - outside) + 1)
    }

    /// The conclusion for a probability that was corrected for the number of APIs.
    package func finding(correctedChance: Double) -> Finding {
        guard isEnough else { return .tooFew }
        guard correctedChance <= Self.level, let ratio, let interval, !interval.contains(1) else { return .noise }
        if isOfBytes { return ratio > 1 ? .heavier : .lighter }
        return ratio > 1 ? .slower : .faster
    }

    /// The probability of a false conclusion about any API of a comparison.
    package static let level = 0.05

    /// The probabilities, corrected for their number by Holm's procedure, in the same order.
    package static func corrected(_ chances: [Double]) -> [Double] {
        var result = chances
        var largest = 0.0
        for (rank, index) in chances.indices.sorted(by: { chances[$0] < chances[$1] }).enumerated() {
            largest = max(largest, min(1, chances[index] * Double(chances.count - rank)))
            result[index] = largest
        }
        return result
    }

    // MARK: Histograms

    private typealias BucketCount = (bucket: Int, count: Double)

    /// Buckets with their number of durations, from the shortest; durations of 0 come before all buckets.
    private static func counts(_ histogram: LatencyHistogram) -> [BucketCount] {
        let zeros = histogram.zeroCount > 0 ? [(bucket: Int.min, count: Double(histogram.zeroCount))] : []
        return zeros
            + histogram.buckets.sorted { $0.key < $1.key }.map { (bucket: Int($0.key), count: Double($0.value)) }
    }

    /// Mann and Whitney's U, and the sum of t³ − t over the ties.
    private static func pairs(
        _ first: [(bucket: Int, count: Double)], _ second: [(bucket: Int, count: Double)]
    ) -> (longer: Double, ties: Double) {
        var (longer, ties, below, index) = (0.0, 0.0, 0.0, 0)
        for (bucket, count) in second {
            while index < first.count, first[index].bucket < bucket {
                let tied = first[index].count
                below += tied
                ties += tied * (tied * tied - 1)
                index += 1
            }
            let same = index < first.count && first[index].bucket == bucket ? first[index].count : 0
            longer += count * (below + same / 2)
            let tied = count + same
            ties += tied * (tied * tied - 1)
            if same > 0 {
                below += same
                index += 1
            }
        }
        for rest in first[index...] { ties += rest.count * (rest.count * rest.count - 1) }
        return (longer, ties)
    }

    /// The number of pairs by their distance in buckets: the lowest distance, and the numbers from there on.
    private static func differences(
        _ first: [(bucket: Int, count: Double)], _ second: [(bucket: Int, count: Double)]
    ) -> (lowest: Int, pairs: [Double]) {
        guard let begin = first.first?.bucket, let end = first.last?.bucket, let shortest = second.first?.bucket,
            let longest = second.last?.bucket
        else { return (0, []) }
        let lowest = shortest - end
        var pairs = [Double](repeating: 0, count: longest - begin - lowest + 1)
        for (bucket, count) in first {
            for (otherBucket, otherCount) in second { pairs[otherBucket - bucket - lowest] += count * otherCount }
        }
        return (lowest, pairs)
    }

    private static func quantile(_ differences: (lowest: Int, pairs: [Double]), _ rank: Double) -> Int {
        var seen = 0.0
        for (offset, count) in differences.pairs.enumerated() {
            seen += count
            if seen >= rank { return differences.lowest + offset }
        }
        return differences.lowest + differences.pairs.count - 1
    }

    /// The ratio of two durations that are `buckets` buckets apart.
    private static func width(_ buckets: Int) -> Double {
        exp2(Double(buckets) / exp2(Double(LatencyHistogram.scale)))
    }
}

extension ByteHistogram {
    /// Buckets with their number of calls, from the lightest; calls of 0 bytes come before all buckets.
    fileprivate var bucketCounts: [(bucket: Int, count: Double)] {
        guard count > 0 else { return [] }
        func bucket(_ index: Int) -> Int { index == Self.bucketOfZero ? .min : index }
        if counts.isEmpty { return [(bucket(lowest), Double(count))] }
        return counts.enumerated().compactMap { offset, count in
            count > 0 ? (bucket(lowest + offset), Double(count)) : nil
        }
    }
}
