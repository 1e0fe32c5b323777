/// Numbers of bytes in the buckets of ``LatencyHistogram``, with the exact least and largest one.
///
/// A bucket's upper bound is 2^(1/32), about 2.2 %, above its lower one, so a percentile is off by at most 1.1 %, or by
/// less than a byte. It is exact if all numbers are the same or if it is the largest. Histograms merge by adding.
///
/// Bucket `i` holds numbers in `(base^i, base^(i+1)]` with `base = 2^(1/32)`.
public struct ByteHistogram: Hashable, Sendable {
    /// How many numbers were recorded.
    public private(set) var count: Int64 = 0
    /// The smallest number; 0 for an empty histogram.
    package private(set) var least: Int64 = 0
    /// The largest number; 0 for an empty histogram.
    package private(set) var largest: Int64 = 0

    // The calls of an API are often of much the same size. As long as all numbers are in one bucket, the extremes say
    // which, and there are no counts. Otherwise there is one for each bucket from the lowest to the highest in use, and
    // the first and the last are never 0, so equal histograms have equal values.
    /// The counts of adjacent buckets, from ``lowest`` on; none if all numbers are in one bucket.
    package private(set) var counts: [Int64] = []
    /// The lowest bucket in use, that of the first of ``counts``; 0 for an empty histogram.
    package private(set) var lowest = 0

    /// The bucket of 0, below that of 1.
    package static let bucketOfZero = -2

    /// An empty histogram.
    public init() {}

    /// The largest number; nil for an empty histogram.
    public var max: ByteCount? { count > 0 ? ByteCount(largest) : nil }

    /// Records a number; one below 0 counts as 0.
    public mutating func record(_ bytes: ByteCount) { record(bytes.bytes) }

    /// Records a number of bytes.
    package mutating func record(_ bytes: Int64) {
        let bytes = bytes < 0 ? 0 : bytes
        if count == 0 {
            (least, largest) = (bytes, bytes)
            lowest = Self.bucket(bytes)
        } else if !counts.isEmpty || bytes != largest || bytes != least {
            add(1, to: Self.bucket(bytes))
            if bytes < least { least = bytes }
            if bytes > largest { largest = bytes }
        }
        count &+= 1
    }

    /// Adds another histogram's counts.
    public mutating func merge(_ other: ByteHistogram) {
        guard other.count > 0 else { return }
        guard count > 0 else {
            self = other
            return
        }
        if other.counts.isEmpty {
            add(other.count, to: other.lowest)
        } else {
            spread()
            // Both ends are added first, so that the array grows at most once in each direction.
            add(other.counts[other.counts.count - 1], to: other.lowest + other.counts.count - 1)
            add(other.counts[0], to: other.lowest)
            let distance = other.lowest - lowest
            for offset in 1..<(other.counts.count - 1) { counts[distance + offset] &+= other.counts[offset] }
        }
        count &+= other.count
        if other.least < least { least = other.least }
        if other.largest > largest { largest = other.largest }
    }

    /// Counts numbers of a bucket; ``count`` and the extremes are still those from before.
    private mutating func add(_ more: Int64, to index: Int) {
        if counts.isEmpty {
            guard index != lowest else { return }
            spread()
        }
        if index < lowest {
            counts.insert(contentsOf: repeatElement(0, count: lowest - index), at: 0)
            lowest = index
        } else if index >= lowest + counts.count {
            counts.append(contentsOf: repeatElement(0, count: index - lowest - counts.count + 1))
        }
        counts[index - lowest] &+= more
    }

    /// Makes the count of the only bucket, because another one will be in use.
    private mutating func spread() {
        if counts.isEmpty { counts = [count] }
    }

    /// The number that the given share of all numbers does not exceed; nil for an empty histogram.
    ///
    /// A share is from 0 to 1: 0.95 for the 95th percentile.
    public func percentile(_ share: Double) -> ByteCount? {
        guard count > 0 else { return nil }
        let rank = Swift.max(1, Int64(clamping: (share * Double(count)).rounded(.up)))
        if rank >= count { return ByteCount(largest) }
        var index = lowest
        if !counts.isEmpty {
            var seen = counts[0]
            while seen < rank, index + 1 < lowest + counts.count {
                index += 1
                seen &+= counts[index - lowest]
            }
        }
        return ByteCount(min(Swift.max(Self.middle(of: index), least), largest))
    }

    /// The bucket of a number that is not below 0.
    package static func bucket(_ bytes: Int64) -> Int {
        bytes > 0 ? LatencyHistogram.bucket(seconds: Double(bytes)) : bucketOfZero
    }

    private static func middle(of index: Int) -> Int64 {
        index < -1 ? 0 : Int64(clamping: LatencyHistogram.middle(of: index).rounded())
    }
}

// MARK: Reading back

extension ByteHistogram {
    /// That many numbers between two extremes, all in the bucket of the smallest until ``move(_:to:)``.
    package init(count: Int64, least: Int64, largest: Int64) {
        guard count > 0 else { return }
        (self.count, self.least, self.largest) = (count, least, largest)
        lowest = Self.bucket(least)
        let last = Self.bucket(largest)
        guard lowest < last else { return }
        counts = Array(repeating: 0, count: last - lowest + 1)
        counts[0] = count
    }

    /// Moves that many numbers from the lowest bucket to another one in use, as far as they are there.
    ///
    /// - Returns: whether there are still numbers in the lowest bucket.
    package mutating func move(_ more: Int64, to index: Int) -> Bool {
        guard more > 0, index > lowest, index < lowest + counts.count, more < counts[0] else { return false }
        counts[0] -= more
        counts[index - lowest] += more
        return true
    }
}
