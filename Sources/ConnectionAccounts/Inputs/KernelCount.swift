/// The kernel's counters of a TCP connection, as Linux has them in TCP_INFO.
package struct KernelCount: Sendable {
    /// Payload bytes that were sent, without repetitions.
    package var sent: UInt64
    package var received: UInt64
    package var retransmitted: UInt64
    package var segmentsSent: Int64
    package var segmentsReceived: Int64
    /// The smoothed round-trip time in nanoseconds.
    package var roundTrip: Int64
    /// Whether the peer has ended or reset it, so that nothing more can come.
    package var isOver: Bool
    /// Whether the peer has closed its side after sending everything (FIN).
    package var isEnded: Bool
    /// Whether it was reset after that, so that nothing more can be sent.
    package var isGone: Bool

    package init(
        sent: UInt64, received: UInt64, retransmitted: UInt64, segmentsSent: Int64, segmentsReceived: Int64,
        roundTrip: Int64, isOver: Bool, isEnded: Bool = false, isGone: Bool = false
    ) {
        self.sent = sent
        self.received = received
        self.retransmitted = retransmitted
        self.segmentsSent = segmentsSent
        self.segmentsReceived = segmentsReceived
        self.roundTrip = roundTrip
        self.isOver = isOver
        self.isEnded = isEnded
        self.isGone = isGone
    }
}
