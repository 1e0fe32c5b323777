package import TrafficModel

/// One TCP connection in a capture.
package struct CapturedConnection: Hashable, Sendable {
    /// One of the connection's two ends.
    package enum Side: Int, Hashable, Sendable {
        case first, second

        var other: Side { self == .first ? .second : .first }
    }

    /// What one end sent.
    private struct Flow: Hashable {
        var coverage: SequenceCoverage?
        /// The sequence number of the SYN; nil until one is seen.
        var syn: UInt32?
        /// The offset of the FIN; nil until one is seen.
        var fin: Int64?
        /// The highest offset that the other end acknowledged.
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
    /// The number of packets whose headers the capture cut.
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

    /// Whether a segment from that end starts another connection between the same ends.
    func isSucceeded(by segment: CapturedSegment, from side: Side) -> Bool {
        guard segment.flags.contains(.syn), !segment.flags.contains(.rst) else { return false }
        let flow = flows[side.rawValue]
        if let syn = flow.syn { return syn != segment.sequence }
        // If the SYN was not seen, the other end's acknowledgements show what its sequence number was.
        return isReset || flow.coverage.map { $0.origin != segment.sequence &+ 1 } ?? false
    }

    /// Counts a packet of which only the ends are known.
    mutating func takeCutHead(at time: Timestamp) {
        end = max(end, time)
        cutHeads += 1
    }

    mutating func take(_ segment: CapturedSegment, from side: Side) {
        end = max(end, segment.time)
        // After a reset, packets that are still on their way reach neither program.
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

    /// Takes a reset if its sequence number is one that the receiver accepts (RFC 5961, section 3.2).
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
        // Without a SYN from the other end, the acknowledgement is the only sign of its sequence number.
        let coverage = flows[other].coverage ?? SequenceCoverage(origin: number, isAnchored: false)
        flows[other].coverage = coverage
        flows[other].acknowledged = max(flows[other].acknowledged ?? .min, coverage.offset(of: number))
    }

    // MARK: Results

    /// Bytes of payload that one end has sent, each counted once.
    package func sent(from side: Side) -> Int64 { flows[side.rawValue].coverage?.count() ?? 0 }

    /// Bytes of payload from one end, each counted once, without those that the other end refused.
    package func payload(from side: Side) -> Int64 {
        flows[side.rawValue].coverage?.count(below: limit(of: side)) ?? 0
    }

    /// Bytes of payload from one end that arrived after the other had closed.
    ///
    /// The receiving system threw them away unacknowledged and sent a reset (RFC 9293, section 3.6.1), so the program
    /// never received them.
    package func refused(from side: Side) -> Int64 { sent(from: side) - payload(from: side) }

    private func limit(of side: Side) -> Int64 {
        guard hasReset(side.other) else { return .max }
        return max(0, flows[side.rawValue].acknowledged ?? .max)
    }

    /// Bytes that one end must have sent and that the capture lacks: gaps, and bytes that were acknowledged but not
    /// captured.
    package func missing(from side: Side) -> Int64 {
        let flow = flows[side.rawValue]
        guard let coverage = flow.coverage else { return 0 }
        var end = min(coverage.end, limit(of: side))
        if let fin = flow.fin { end = max(end, min(fin, limit(of: side))) }
        if let acknowledged = flow.acknowledged {
            // The FIN has a sequence number, too.
            let isFINAcknowledged = flow.fin.map { acknowledged > $0 } ?? false
            end = max(end, acknowledged - (isFINAcknowledged ? 1 : 0))
        }
        return coverage.missing(below: end)
    }

    /// Whether the capture contains both SYNs, so that nothing at the start is missing.
    package var hasBegin: Bool { flows.allSatisfy { $0.syn != nil } }

    /// Whether the capture contains the end: a reset, or a FIN from each end.
    package var hasEnd: Bool { isReset || flows.allSatisfy { $0.fin != nil } }

    /// Whether that end reset the connection.
    package func hasReset(_ side: Side) -> Bool { flows[side.rawValue].hasReset }

    /// Whether that end announced that it sends no more.
    package func hasFIN(_ side: Side) -> Bool { flows[side.rawValue].fin != nil }
}
