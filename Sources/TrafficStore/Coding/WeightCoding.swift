internal import TrafficModel

extension CallWeights {
    /// Appends the weights; nothing if no call was weighed.
    ///
    /// The number of calls is followed by each histogram: its largest number, and how far the smallest is below. If
    /// they are in different buckets, the buckets in use follow from the highest on, each with its count and its
    /// distance to the next. The count of the lowest one is the rest.
    func append(to sink: ByteSink) {
        guard count > 0 else { return }
        sink.appendVarint(UInt64(count))
        up.append(to: sink)
        down.append(to: sink)
        total.append(to: sink)
    }

    /// Adds encoded weights; none if the reader is at its end, as in sums from before they were kept.
    mutating func merge(encoded reader: inout ByteReader) {
        let count = Plausible.count(Int64(clamping: reader.varint()))
        guard count > 0 else { return }
        up.merge(ByteHistogram(encoded: &reader, count: count))
        down.merge(ByteHistogram(encoded: &reader, count: count))
        total.merge(ByteHistogram(encoded: &reader, count: count))
    }
}

extension ByteHistogram {
    fileprivate func append(to sink: ByteSink) {
        sink.appendVarint(UInt64(largest))
        sink.appendVarint(UInt64(largest - least))
        guard !counts.isEmpty else { return }
        counts.withUnsafeBufferPointer { counts in
            var place = counts.count - 1
            while place > 0 {
                sink.appendVarint(UInt64(counts[place]))
                var next = place - 1
                while next > 0, counts[next] == 0 { next -= 1 }
                sink.appendVarint(UInt64(place - next))
                place = next
            }
        }
    }

    fileprivate init(encoded reader: inout ByteReader, count: Int64) {
        let largest = Plausible.count(Int64(clamping: reader.varint()))
        let least = Swift.max(0, largest - Plausible.count(Int64(clamping: reader.varint())))
        self.init(count: count, least: least, largest: largest)
        var index = Self.bucket(largest)
        while index > lowest, !counts.isEmpty, !reader.isAtEnd {
            let more = Plausible.count(Int64(clamping: reader.varint()))
            guard move(more, to: index) else { return }
            index -= Int(Plausible.count(Int64(clamping: reader.varint())))
        }
    }
}
