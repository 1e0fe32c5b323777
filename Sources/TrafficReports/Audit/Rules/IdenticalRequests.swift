import TrafficModel

/// The same request, repeated before anything can have changed.
struct IdenticalRequests: AuditRule {
    static let name = "identical-requests"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ sighting: borrowing Sighting, _ ledger: inout AuditLedger) {
        guard sighting.isSafe, sighting.isUnchanged, let earlier = sighting.earlier,
            earlier.gap <= limits.identicalWithin, earlier.wasConditional == sighting.requestHead.isConditional
        else { return }
        ledger.claim(sighting, bytes: sighting.bytes, nanoseconds: sighting.nanoseconds)
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
