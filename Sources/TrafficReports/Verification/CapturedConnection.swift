package import TrafficModel

/// One TCP connection as a capture shows it.
package struct CapturedConnection: Hashable, Sendable {
    /// One of its two ends.
    package enum Side: Int, Hashable, Sendable {
        case first, second

        var other: Side { self == .first ? .second : .first }
    }

    /// What one end sent.
    private struct Flow: Hashable {
        var coverage: SequenceCoverage?
        /// The number of the SYN; nil while none was seen.
        var syn: UInt32?
        /// The offset of the FIN.
        var fin: Int64?
        /// The highest offset up to which the other end said that it has everything.
        var acknowledged: Int64?
        var hasReset = false
    }

    /// The end whose packet was captured first.
    package let first: Endpoint
    /// The other end.
    package let second: Endpoint
    /// The time of its first packet.
    package let begin: Timestamp
    /// The time of its last packet.
    package private(set) var end: Timestamp
    /// Packets whose head the capture cut.
    package private(set) var cutHeads = 0
    private var flows = [Flow(), Flow()]
    private var isReset = false

    init(first: Endpoint, second: Endpoint, at time: Timestamp) {
        self.first = first
        self.second = second
        begin = time
        end = time
    }

    func endpoint(_ side: Side) -> Endpoint { side == .first ? first : second }

    /// Whether a segment of that end begins another connection between the same ends.
    func isSucceeded(by segment: CapturedSegment, from side: Side) -> Bool {
        guard segment.flags.contains(.syn), !segment.flags.contains(.rst) else { return false }
        let flow = flows[side.rawValue]
        if let syn = flow.syn { return syn != segment.sequence }
        // What the other end has acknowledged tells the number of a SYN that was not seen.
        return isReset || flow.coverage.map { $0.origin != segment.sequence &+ 1 } ?? false
    }

    /// Counts a packet of which only the ends are known.
    mutating func takeCutHead(at time: Timestamp) {
        end = max(end, time)
        cutHeads += 1
    }

    mutating func take(_ segment: CapturedSegment, from side: Side) {
        end = max(end, segment.time)
        // What is still under way when one end resets the connection reaches nobody.
        guard !isReset else { return }
        if segment.flags.contains(.rst) {
            reset(by: segment, from: side)
            return
        }
        var sequence = segment.sequence
        if segment.flags.contains(.syn) {
            flows[side.rawValue].syn = sequence
            sequence &+= 1
            if flows[side.rawValue].coverage == nil {
                flows[side.rawValue].coverage = SequenceCoverage(origin: sequence, isAnchored: true)
            } else if flows[side.rawValue].coverage?.origin == sequence {
                flows[side.rawValue].coverage?.anchor()
            }
        }
        acknowledge(segment, from: side)
        var coverage = flows[side.rawValue].coverage ?? SequenceCoverage(origin: sequence, isAnchored: false)
        coverage.insert(sequence, count: segment.payload)
        flows[side.rawValue].coverage = coverage
        if segment.flags.contains(.fin) { flows[side.rawValue].fin = coverage.offset(of: sequence) + segment.payload }
    }

    /// A reset counts when its number is one that its receiver may expect (RFC 5961, section 3.2).
    private mutating func reset(by segment: CapturedSegment, from side: Side) {
        let flow = flows[side.rawValue]
        if let coverage = flow.coverage {
            let offset = coverage.offset(of: segment.sequence)
            let fin: Int64 = flow.fin == nil ? 0 : 1
            guard offset >= min(flow.acknowledged ?? 0, coverage.end), offset <= coverage.end + fin else { return }
        }
        acknowledge(segment, from: side)
        flows[side.rawValue].hasReset = true
        isReset = true
    }

    private mutating func acknowledge(_ segment: CapturedSegment, from side: Side) {
        guard let number = segment.acknowledgment else { return }
        let other = side.other.rawValue
        // Where the SYN was not seen, what is acknowledged is all that tells where the other end stands.
        let coverage = flows[other].coverage ?? SequenceCoverage(origin: number, isAnchored: false)
        flows[other].coverage = coverage
        flows[other].acknowledged = max(flows[other].acknowledged ?? .min, coverage.offset(of: number))
    }

    // MARK: what came of it

    /// Bytes of payload that one end sent, each counted once, without those that the other refused.
    package func payload(from side: Side) -> Int64 {
        flows[side.rawValue].coverage?.count(below: limit(of: side)) ?? 0
    }

    /// Bytes of payload from one end that came when the other had closed: its system threw them away unacknowledged and
    /// answered with a reset (RFC 9293, section 3.6.1), so that they were never received.
    package func refused(from side: Side) -> Int64 {
        guard let coverage = flows[side.rawValue].coverage else { return 0 }
        return coverage.count() - coverage.count(below: limit(of: side))
    }

    private func limit(of side: Side) -> Int64 {
        guard hasReset(side.other) else { return .max }
        return max(0, flows[side.rawValue].acknowledged ?? .max)
    }

    /// Bytes from one end that must have been sent and that the capture lacks: gaps, and what was acknowledged unseen.
    package func missing(from side: Side) -> Int64 {
        let flow = flows[side.rawValue]
        guard let coverage = flow.coverage else { return 0 }
        var end = min(coverage.end, limit(of: side))
        if let fin = flow.fin { end = max(end, min(fin, limit(of: side))) }
        if let acknowledged = flow.acknowledged {
            // The FIN has a number, too.
            let isFINAcknowledged = flow.fin.map { acknowledged > $0 } ?? false
            end = max(end, acknowledged - (isFINAcknowledged ? 1 : 0))
        }
        return coverage.missing(below: end)
    }

    /// Whether the capture has both SYNs, so that nothing before it is missing.
    package var hasBegin: Bool { flows.allSatisfy { $0.syn != nil } }

    /// Whether the capture has how it ended: a reset, or a FIN of each end.
    package var hasEnd: Bool { isReset || flows.allSatisfy { $0.fin != nil } }

    /// Whether one end reset the connection.
    package func hasReset(_ side: Side) -> Bool { flows[side.rawValue].hasReset }

    /// Whether one end said that it sends no more.
    package func hasFIN(_ side: Side) -> Bool { flows[side.rawValue].fin != nil }
}
