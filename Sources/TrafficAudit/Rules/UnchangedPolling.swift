import TrafficModel

/// A request that is repeated at even intervals and gets the same response.
struct UnchangedPolling: AuditRule {
    static let name = "unchanged-polling"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard audited.isSafe, audited.isUnchanged, let earlier = audited.earlier,
            earlier.gap > limits.identicalWithin, earlier.run >= limits.pollsInARow
        else { return }
        // When the row becomes long enough, its earlier responses count, too, except the first, which was new.
        let times = earlier.run == limits.pollsInARow ? Int64(limits.pollsInARow - 1) : 1
        ledger.claim(audited, bytes: audited.bytes * times, nanoseconds: audited.nanoseconds * times)
        ledger.change(.api(audited.api)) {
            $0.calls += Int(times) - 1
            $0.sum += earlier.gap * times
        }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls > 0 else { return nil }
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                .polling,
                ["time": .duration(tally.sum / Int64(tally.calls)), "calls": subject.share(tally.calls)]),
            remedy: .pollingRemedy)
    }
}
