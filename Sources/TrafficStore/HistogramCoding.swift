internal import TrafficModel

extension LatencyHistogram {
    /// The histogram of a blob; an empty one for NULL.
    ///
    /// The blob holds the zeros, then each bucket's distance from the one before and its count.
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
