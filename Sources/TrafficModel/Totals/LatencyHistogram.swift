/// Durations in the exponential layout of OpenTelemetry, at scale 5.
///
/// A bucket's upper bound is 2^(1/32), about 2.2 %, above its lower one, so a percentile is off by at most 1.1 %.
/// Histograms merge by adding.
///
/// Values are seconds. Bucket `i` holds values in `(base^i, base^(i+1)]` with `base = 2^(1/32)`.
public struct LatencyHistogram: Hashable, Sendable {
    /// The scale in OpenTelemetry's sense.
    public static let scale = 5
    /// The largest relative error of a percentile.
    public static let error = 0.011

    // The counts of adjacent buckets are an array, so that recording is one addition; the latencies of a busy API span
    // few buckets. The first and the last count are never 0, so equal histograms have equal values.
    /// The bucket of the first of ``counts``.
    package private(set) var lowest = 0
    /// The counts from the lowest bucket in use to the highest.
    package private(set) var counts: [Int64] = []
    /// How many durations were 0 or less.
    public private(set) var zeroCount: Int64 = 0

    /// An empty histogram.
    public init() {}

    /// A histogram with counts that were read back.
    package init(buckets: [Int16: Int64], zeroCount: Int64) {
        self.zeroCount = max(0, zeroCount)
        for (index, count) in buckets { add(count, to: Int(index)) }
    }

    /// The counts that are not 0, by bucket index.
    public var buckets: [Int16: Int64] {
        var buckets: [Int16: Int64] = [:]
        for (offset, count) in counts.enumerated() where count > 0 { buckets[Int16(clamping: lowest + offset)] = count }
        return buckets
    }

    /// How many durations were recorded.
    public var count: Int64 { counts.reduce(zeroCount, &+) }

    /// Records one duration.
    public mutating func record(nanoseconds: Int64) {
        guard nanoseconds > 0 else {
            zeroCount += 1
            return
        }
        add(1, to: Self.bucket(seconds: Double(nanoseconds) * 1e-9))
    }

    /// Adds another histogram's counts.
    public mutating func merge(_ other: LatencyHistogram) {
        addZeros(other.zeroCount)
        guard let last = other.counts.last, let first = other.counts.first else { return }
        if counts.isEmpty {
            lowest = other.lowest
            counts = other.counts
            return
        }
        // Both ends are added first, so that the array grows at most once in each direction.
        add(last, to: other.lowest + other.counts.count - 1)
        guard other.counts.count > 1 else { return }
        add(first, to: other.lowest)
        let distance = other.lowest - lowest
        for offset in 1..<(other.counts.count - 1) { counts[distance + offset] &+= other.counts[offset] }
    }

    /// Adds durations of 0.
    package mutating func addZeros(_ count: Int64) { zeroCount &+= max(0, count) }

    /// Adds durations to a bucket.
    package mutating func add(_ count: Int64, to index: Int) {
        guard count > 0 else { return }
        if counts.isEmpty {
            lowest = index
            counts = [count]
            return
        }
        if index < lowest {
            counts.insert(contentsOf: repeatElement(0, count: lowest - index), at: 0)
            lowest = index
        } else if index >= lowest + counts.count {
            counts.append(contentsOf: repeatElement(0, count: index - lowest - counts.count + 1))
        }
        counts[index - lowest] &+= count
    }

    /// The duration that the given share of all durations does not exceed, in nanoseconds; nil for an empty histogram.
    ///
    /// A share is from 0 to 1: 0.95 for the 95th percentile.
    public func percentile(_ share: Double) -> Int64? { percentiles([share])[0] }

    /// The percentiles of several shares, the smallest first, in one pass.
    package func percentiles(_ shares: [Double]) -> [Int64?] {
        let total = count
        guard total > 0 else { return shares.map { _ in nil } }
        var seen = zeroCount
        var offset = -1
        return shares.map { share in
            let rank = max(1, Int64(clamping: (share * Double(total)).rounded(.up)))
            while seen < rank, offset + 1 < counts.count {
                offset += 1
                seen &+= counts[offset]
            }
            return offset < 0 ? 0 : Int64(clamping: Self.middle(of: lowest + offset) * 1e9)
        }
    }

    /// The bucket of a duration above 0.
    ///
    /// Exact powers of two belong to the bucket below.
    package static func bucket(seconds: Double) -> Int {
        let bits = seconds.bitPattern
        let part = parts[Int(bits >> 46 & 63)]
        let step = part.stepsBelow + (part.bound < bits & fractionMask ? 1 : 0)
        return (Int(bits >> 52) - 1_023) * 32 + step - 1
    }

    /// The middle of a bucket in seconds.
    package static func middle(of index: Int) -> Double {
        let octave = index >> 5
        let step = index & 31
        let upper = step == 31 ? 2.0 : bounds[step + 1]
        let scaled = (bounds[step] + upper) / 2
        return Double(sign: .plus, exponent: octave, significand: scaled)
    }

    /// The lower bounds of the 32 buckets of an octave, 2^(k/32): products of five repeated square roots of two.
    private static let bounds: [Double] = {
        let roots = sequence(first: 2.0.squareRoot()) { $0.squareRoot() }.prefix(5).map(\.self)
        return (0..<32).map { step in
            roots.enumerated().reduce(1.0) { step & (16 >> $1.offset) != 0 ? $0 * $1.element : $0 }
        }
    }()

    private static let fractionMask: UInt64 = 1 << 52 - 1

    // For each 64th of an octave, how many bounds are below its start, and the one inside it, as the fraction of a
    // number. Bounds are further apart than these parts are long, so there is at most one, and no search.
    private static let parts: [(stepsBelow: Int, bound: UInt64)] = (0..<64).map { part in
        let stepsBelow = bounds.prefix { $0 < 1 + Double(part) / 64 }.count
        return (stepsBelow, stepsBelow < bounds.count ? bounds[stepsBelow].significandBitPattern : .max)
    }
}
