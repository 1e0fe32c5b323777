/// Which bytes of one direction of a TCP connection were seen, each counted once.
///
/// Sequence numbers have 32 bits and wrap (RFC 9293, section 3.4); here they are offsets from the first byte of payload,
/// and a number is taken for the offset nearest to the highest one seen.
struct SequenceCoverage: Hashable, Sendable {
    /// The number of the first byte of payload: that behind the SYN's.
    let origin: UInt32
    /// Whether there is a SYN to tell that nothing came before the origin.
    private(set) var isAnchored: Bool
    /// What was seen, in order and apart from each other.
    private var seen: [Range<Int64>] = []
    /// The offset that later numbers are near to.
    private var highest: Int64 = 0

    init(origin: UInt32, isAnchored: Bool) {
        self.origin = origin
        self.isAnchored = isAnchored
    }

    /// Takes note that a SYN was seen whose number stands before the origin.
    mutating func anchor() { isAnchored = true }

    /// The offset of a number.
    func offset(of sequence: UInt32) -> Int64 {
        let near = origin &+ UInt32(truncatingIfNeeded: highest)
        return highest + Int64(Int32(bitPattern: sequence &- near))
    }

    /// Takes the payload of a segment.
    mutating func insert(_ sequence: UInt32, count: Int64) {
        guard count > 0 else { return }
        var start = offset(of: sequence)
        let end = start + count
        // Before the first byte there is only the SYN, whose number a keep-alive may repeat with a byte.
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
        // Those that it touches become one with it.
        let first = seen.firstIndex { $0.upperBound >= range.lowerBound } ?? seen.count
        let behind = seen[first...].firstIndex { $0.lowerBound > range.upperBound } ?? seen.count
        var merged = range
        for touched in seen[first..<behind] {
            merged = min(merged.lowerBound, touched.lowerBound)..<max(merged.upperBound, touched.upperBound)
        }
        seen.replaceSubrange(first..<behind, with: [merged])
    }

    /// The offset behind the last byte seen.
    var end: Int64 { seen.last?.upperBound ?? 0 }

    /// How many bytes below an offset were seen.
    func count(below limit: Int64 = .max) -> Int64 {
        seen.reduce(0) { $0 + max(0, min($1.upperBound, limit) - $1.lowerBound) }
    }

    /// How many bytes below an offset were not seen: between those that were, and up to the offset.
    func missing(below limit: Int64) -> Int64 {
        let begin = isAnchored ? 0 : min(seen.first?.lowerBound ?? 0, limit)
        return max(0, limit - begin - count(below: limit))
    }
}
