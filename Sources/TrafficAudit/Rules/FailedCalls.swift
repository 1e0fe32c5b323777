import TrafficModel

/// Calls that cost bytes and time and failed; if they were tried again, ``Retries`` reports them.
struct FailedCalls: AuditRule {
    static let name = "failed-calls"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        if let earlier = audited.retried(limits), let failure = earlier.failure {
            ledger.revoke(
                earlier.exchange, of: earlier.api, bytes: earlier.bytes, nanoseconds: earlier.nanoseconds,
                kind: failure)
        }
        guard let failure = audited.failure else { return }
        ledger.claim(audited, bytes: audited.bytes, nanoseconds: audited.nanoseconds, kind: failure)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls >= limits.leastFailures, Double(tally.calls) > limits.failureShare * Double(subject.seen)
        else { return nil }
        let isAskedWrongly = tally.kinds.contains { $0.key.hasPrefix("4") && $0.value * 2 > tally.calls }
        return AuditVerdict(
            tally,
            problem: AuditSentence(.failed, ["calls": subject.share(tally.calls), "kinds": tally.kindList]),
            remedy: isAskedWrongly ? .refusedRemedy : .failedRemedy)
    }
}

extension AuditedExchange {
    /// The failed request that this one repeats; nil if it repeats none.
    func retried(_ limits: Audit.Limits) -> EarlierRequest? {
        guard let earlier, earlier.failure != nil else { return nil }
        let pause = exchange.request.startedAt.nanoseconds - (earlier.endedAt ?? earlier.startedAt).nanoseconds
        return pause >= 0 && pause <= limits.retryWithin ? earlier : nil
    }
}
