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

    /// The histogram of a blob; an empty one for an empty blob.
    ///
    /// The blob holds the zeros, then each bucket's distance from the one before and its count.
    init(encoded: UnsafeRawBufferPointer) {
        guard !encoded.isEmpty else { return }
        var reader = ByteReader(encoded)
        zeros = Int64(clamping: reader.varint())
        var index: Int64 = 0
        while !reader.isAtEnd {
            index &+= reader.signed()
            add(Int64(clamping: reader.varint()), to: Int(Int16(clamping: index)))
        }
    }

    /// Counts one duration.
    mutating func record(nanoseconds: Int64) {
        guard nanoseconds > 0 else {
            zeros += 1
            return
        }
        add(1, to: LatencyHistogram.bucket(nanoseconds: nanoseconds))
    }

    /// Appends the blob that the histogram is read from; nothing where it is empty.
    func append(to sink: ByteSink) {
        guard !counts.isEmpty || zeros > 0 else { return }
        sink.appendVarint(UInt64(zeros))
        var previous = 0
        counts.withUnsafeBufferPointer { counts in
            for offset in 0..<counts.count where counts[offset] > 0 {
                sink.appendSigned(Int64(lowest + offset - previous))
                sink.appendVarint(UInt64(counts[offset]))
                previous = lowest + offset
            }
        }
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
