import TrafficModel

/// The same request, repeated before anything can have changed.
struct IdenticalRequests: AuditRule {
    static let name = "identical-requests"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard audited.isSafe, audited.isUnchanged, let earlier = audited.earlier,
            earlier.gap <= limits.identicalWithin, earlier.wasConditional == audited.requestHead.isConditional
        else { return }
        ledger.claim(audited, bytes: audited.bytes, nanoseconds: audited.nanoseconds)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls >= limits.leastRepetitions else { return nil }
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                .identical, ["time": .duration(limits.identicalWithin), "calls": subject.share(tally.calls)]),
            remedy: .identicalRemedy)
    }
}
