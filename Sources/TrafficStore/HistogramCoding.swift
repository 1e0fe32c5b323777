internal import TrafficModel

extension LatencyHistogram {
    /// The histogram as a blob: the zeros, then each bucket's distance from the one before and its count.
    ///
    /// NULL where it is empty.
    var encoded: [UInt8]? {
        guard !buckets.isEmpty || zeroCount > 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + buckets.count * 3)
        bytes.appendVarint(UInt64(zeroCount))
        var previous: Int64 = 0
        for (index, count) in buckets.sorted(by: { $0.key < $1.key }) {
            bytes.appendSigned(Int64(index) - previous)
            bytes.appendVarint(UInt64(count))
            previous = Int64(index)
        }
        return bytes
    }

    /// The histogram of such a blob; an empty one for NULL.
    init(encoded: [UInt8]?) {
        guard let encoded else {
            self.init()
            return
        }
        var reader = ByteReader(encoded)
        let zeros = Int64(clamping: reader.varint())
        var buckets: [Int16: Int64] = [:]
        var index: Int64 = 0
        while !reader.isAtEnd {
            index &+= reader.signed()
            buckets[Int16(clamping: index)] = Int64(clamping: reader.varint())
        }
        self.init(buckets: buckets, zeroCount: zeros)
    }
}
