/// Durations in the exponential layout of OpenTelemetry, at scale 5: a bucket's upper bound is 2^(1/32), about 2.2 %,
/// above its lower one, so a percentile is off by at most 1.1 %.
///
/// Histograms merge by adding.
///
/// Values are seconds. Bucket `i` holds values in `(base^i, base^(i+1)]` with `base = 2^(1/32)`.
public struct LatencyHistogram: Hashable, Sendable {
    /// The scale in OpenTelemetry's sense.
    public static let scale = 5

    /// Counts by bucket index.
    ///
    /// Sparse: a busy API's latencies span few buckets.
    public private(set) var buckets: [Int16: Int64] = [:]
    /// How many durations were 0 or less.
    public private(set) var zeroCount: Int64 = 0

    /// An empty histogram.
    public init() {}

    /// A histogram of those counts, as read back from a store.
    public init(buckets: [Int16: Int64], zeroCount: Int64) {
        self.buckets = buckets.filter { $0.value > 0 }
        self.zeroCount = max(0, zeroCount)
    }

    /// How many durations were recorded.
    public var count: Int64 { buckets.values.reduce(zeroCount, +) }

    /// Records one duration.
    public mutating func record(nanoseconds: Int64) {
        guard nanoseconds > 0 else {
            zeroCount += 1
            return
        }
        buckets[Self.index(seconds: Double(nanoseconds) * 1e-9), default: 0] += 1
    }

    /// Adds another histogram's counts.
    public mutating func merge(_ other: LatencyHistogram) {
        zeroCount += other.zeroCount
        buckets.merge(other.buckets, uniquingKeysWith: +)
    }

    /// The duration that the given share of all durations does not exceed, in nanoseconds; nil when it is empty.
    ///
    /// A share goes from 0 to 1: 0.95 for the 95th percentile.
    public func percentile(_ share: Double) -> Int64? {
        let total = count
        guard total > 0 else { return nil }
        let rank = max(1, Int64((share * Double(total)).rounded(.up)))
        var seen = zeroCount
        if seen >= rank { return 0 }
        for (index, count) in buckets.sorted(by: { $0.key < $1.key }) {
            seen += count
            if seen >= rank { return Int64(Self.middle(of: index) * 1e9) }
        }
        return nil
    }

    /// The bucket of that duration.
    package static func index(seconds: Double) -> Int16 {
        let significand = seconds.significand
        // The first bound that the significand does not exceed; exact powers of two belong to the bucket below.
        var low = 0
        var high = bounds.count
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] < significand { low = middle + 1 } else { high = middle }
        }
        return Int16(clamping: Int(seconds.exponent) * 32 + low - 1)
    }

    /// The middle of a bucket in seconds.
    private static func middle(of index: Int16) -> Double {
        let octave = Int(index) >> 5
        let step = Int(index) & 31
        let upper = step == 31 ? 2.0 : bounds[step + 1]
        let scaled = (bounds[step] + upper) / 2
        return Double(sign: .plus, exponent: octave, significand: scaled)
    }

    /// 2^(k/32) for k from 0 to 31: five square roots of two, multiplied.
    private static let bounds: [Double] = {
        let roots = sequence(first: 2.0.squareRoot()) { $0.squareRoot() }.prefix(5).map(\.self)
        return (0..<32).map { step in
            roots.enumerated().reduce(1.0) { step & (16 >> $1.offset) != 0 ? $0 * $1.element : $0 }
        }
    }()
}
