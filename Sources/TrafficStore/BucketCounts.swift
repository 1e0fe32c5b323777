internal import TrafficModel

/// A histogram while it grows: the counts from the lowest bucket in use to the highest, side by side.
///
/// The buckets of ``LatencyHistogram``; counting is an addition in an array instead of a look-up in a dictionary, and
/// the writer counts several durations twice for each exchange.
struct BucketCounts {
    private var lowest = 0
    private var counts: [Int64] = []
    private var zeros: Int64 = 0

    /// An empty histogram.
    init() {}

    /// The histogram of a blob; an empty one for NULL.
    init(encoded: [UInt8]?) {
        let histogram = LatencyHistogram(encoded: encoded)
        zeros = histogram.zeroCount
        for (index, count) in histogram.buckets { add(count, to: Int(index)) }
    }

    /// Counts one duration.
    mutating func record(nanoseconds: Int64) {
        guard nanoseconds > 0 else {
            zeros += 1
            return
        }
        add(1, to: Int(LatencyHistogram.index(seconds: Double(nanoseconds) * 1e-9)))
    }

    /// The histogram as the blob that ``LatencyHistogram`` is read from; NULL where it is empty.
    var encoded: [UInt8]? {
        guard !counts.isEmpty || zeros > 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + counts.count * 2)
        bytes.appendVarint(UInt64(zeros))
        var previous = 0
        for (offset, count) in counts.enumerated() where count > 0 {
            bytes.appendSigned(Int64(lowest + offset - previous))
            bytes.appendVarint(UInt64(count))
            previous = lowest + offset
        }
        return bytes
    }

    /// The histogram as reports see it.
    var histogram: LatencyHistogram {
        var buckets: [Int16: Int64] = [:]
        for (offset, count) in counts.enumerated() where count > 0 {
            buckets[Int16(clamping: lowest + offset)] = count
        }
        return LatencyHistogram(buckets: buckets, zeroCount: zeros)
    }

    /// Adds another histogram's counts.
    mutating func merge(_ other: BucketCounts) {
        zeros += other.zeros
        for (offset, count) in other.counts.enumerated() where count > 0 { add(count, to: other.lowest + offset) }
    }

    private mutating func add(_ count: Int64, to index: Int) {
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
        counts[index - lowest] += count
    }
}
