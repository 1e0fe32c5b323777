import TrafficModel

/// Downloads that were cancelled, so that their bytes were received in vain.
struct CancelledDownloads: AuditRule {
    static let name = "cancelled-downloads"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard audited.exchange.end?.outcome == .cancelled, let response = audited.exchange.response,
            response.size.known.bytes > limits.cancelledBytes
        else { return }
        ledger.claim(audited, bytes: audited.bytes, nanoseconds: audited.nanoseconds)
        ledger.change(.api(audited.api)) { $0.sum += response.size.known.bytes }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls >= limits.leastCancels else { return nil }
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                .cancelled,
                ["calls": subject.share(tally.calls), "size": .bytes(ByteCount(tally.sum / Int64(tally.calls)))]),
            remedy: .cancelledRemedy)
    }
}
