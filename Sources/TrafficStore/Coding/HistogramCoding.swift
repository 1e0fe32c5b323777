internal import TrafficModel

extension LatencyHistogram {
    var isEmpty: Bool { counts.isEmpty && zeroCount == 0 }

    /// Appends the histogram: a single 0 if it is empty.
    ///
    /// Otherwise it appends the number of buckets plus 1, the count of zeros, and for each bucket its distance from the
    /// bucket before and its count.
    func append(to sink: ByteSink) {
        guard !isEmpty else { return sink.append(0) }
        // The number is known only at the end. Its two bytes have room for more buckets than durations can fill.
        let place = sink.count
        sink.append(0x80)
        sink.append(0)
        sink.appendVarint(UInt64(zeroCount))
        var inUse = 1
        counts.withUnsafeBufferPointer { counts in
            var previous = 0
            for offset in 0..<counts.count where counts[offset] > 0 {
                sink.appendSigned(Int64(lowest + offset - previous))
                sink.appendVarint(UInt64(counts[offset]))
                previous = lowest + offset
                inUse += 1
            }
        }
        inUse = min(inUse, 0x3FFF)
        sink.replace(at: place, with: UInt8(inUse & 0x7F) | 0x80)
        sink.replace(at: place + 1, with: UInt8(inUse >> 7))
    }

    /// Adds the counts of an encoded histogram.
    mutating func merge(encoded reader: inout ByteReader) {
        var inUse = reader.varint()
        guard inUse > 0 else { return }
        addZeros(Plausible.count(Int64(clamping: reader.varint())))
        var index: Int64 = 0
        while inUse > 1, !reader.isAtEnd {
            index &+= reader.signed()
            add(Plausible.count(Int64(clamping: reader.varint())), to: Int(Int16(clamping: index)))
            inUse -= 1
        }
    }
}
