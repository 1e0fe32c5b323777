import TrafficModel

/// Calls that were repeated after they had failed, with the cost of the failed attempts.
struct Retries: AuditRule {
    static let name = "retries"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ sighting: borrowing Sighting, _ ledger: inout AuditLedger) {
        guard let earlier = sighting.retried(limits) else { return }
        ledger.claim(
            sighting, bytes: earlier.bytes, nanoseconds: earlier.nanoseconds, kind: earlier.failure,
            other: earlier.exchange)
        if sighting.failure != nil { ledger.change(.api(sighting.api)) { $0.count += 1 } }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls >= limits.leastRetries else { return nil }
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                tally.count == 0 ? .retries : .retriesFailed,
                [
                    "count": .count(Int64(tally.calls)), "kinds": tally.kindList, "failed": .count(Int64(tally.count)),
                ]),
            remedy: .retriesRemedy)
    }
}
