import TrafficModel

/// Calls that were repeated after they had failed, with the cost of the failed attempts.
struct Retries: AuditRule {
    static let name = "retries"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard let earlier = audited.retried(limits) else { return }
        ledger.claim(
            audited, bytes: earlier.bytes, nanoseconds: earlier.nanoseconds, kind: earlier.failure,
            other: earlier.exchange)
        if audited.failure != nil { ledger.change(.api(audited.api)) { $0.count += 1 } }
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
