/// The bytes of one direction of a TCP connection that were seen, each counted once.
///
/// Sequence numbers have 32 bits and wrap (RFC 9293, section 3.4). Here they are offsets from the first byte of
/// payload; a number stands for the offset nearest to the highest one seen.
struct SequenceCoverage: Hashable, Sendable {
    /// The sequence number of the first byte of payload, which follows the SYN's.
    let origin: UInt32
    /// Whether a SYN was seen, which proves that nothing came before the origin.
    private(set) var isAnchored: Bool
    /// The ranges that were seen, in order and not touching each other.
    private var seen: [Range<Int64>] = []
    /// The highest offset seen; later numbers are near to it.
    private var highest: Int64 = 0

    init(origin: UInt32, isAnchored: Bool) {
        self.origin = origin
        self.isAnchored = isAnchored
    }

    /// Records that a SYN was seen whose number is the one before the origin.
    mutating func anchor() { isAnchored = true }

    /// The offset of a sequence number.
    func offset(of sequence: UInt32) -> Int64 {
        let near = origin &+ UInt32(truncatingIfNeeded: highest)
        return highest + Int64(Int32(bitPattern: sequence &- near))
    }

    /// Adds the payload of a segment.
    mutating func insert(_ sequence: UInt32, count: Int64) {
        guard count > 0 else { return }
        var start = offset(of: sequence)
        let end = start + count
        // Only the SYN is before the first byte; a keep-alive may repeat its number with one byte.
        if isAnchored { start = max(start, 0) }
        guard start < end else { return }
        highest = max(highest, end)
        insert(start..<end)
    }

    private mutating func insert(_ range: Range<Int64>) {
        guard let last = seen.last else {
            seen = [range]
            return
        }
        if range.lowerBound > last.upperBound {
            seen.append(range)
            return
        }
        if range.lowerBound >= last.lowerBound {
            seen[seen.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            return
        }
        // Merge the new range with those that it touches.
        let first = seen.firstIndex { $0.upperBound >= range.lowerBound } ?? seen.count
        let behind = seen[first...].firstIndex { $0.lowerBound > range.upperBound } ?? seen.count
        var merged = range
        for touched in seen[first..<behind] {
            merged = min(merged.lowerBound, touched.lowerBound)..<max(merged.upperBound, touched.upperBound)
        }
        seen.replaceSubrange(first..<behind, with: [merged])
    }

    /// The offset after the last byte seen; 0 if there is none.
    var end: Int64 { seen.last?.upperBound ?? 0 }

    /// The number of bytes seen below an offset.
    func count(below limit: Int64 = .max) -> Int64 {
        seen.reduce(0) { $0 + max(0, min($1.upperBound, limit) - $1.lowerBound) }
    }

    /// The number of bytes not seen below an offset: gaps between those that were, and the rest up to the offset.
    func missing(below limit: Int64) -> Int64 {
        let begin = isAnchored ? 0 : min(seen.first?.lowerBound ?? 0, limit)
        return max(0, limit - begin - count(below: limit))
    }
}
