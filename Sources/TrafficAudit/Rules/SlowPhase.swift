import TrafficModel

/// The common part of the rules about slow phases.
struct SlowPhase {
    /// The problem's sentence.
    let phrase: AuditPhrase
    /// How long the phase may take, in nanoseconds.
    let limit: Int64
    /// The remedy's sentence.
    let remedy: AuditPhrase
    let limits: Audit.Limits

    /// Examines the phase of one exchange.
    ///
    /// The subject is what the phase depends on: the API, the host that is connected to, or the name that is looked up.
    func see(
        _ time: Int64?, of subject: AuditSubjectID, _ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger
    ) {
        guard let time else { return }
        ledger.change(subject) {
            $0.count += 1
            $0.sum += max(0, time)
        }
        if time > limit { ledger.claim(audited, for: subject, bytes: 0, nanoseconds: time - limit) }
    }

    /// Gives a verdict if too large a share of the phases was slow.
    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls >= limits.leastSlowCalls, tally.calls > Int(limits.slowShare * Double(tally.count)) else {
            return nil
        }
        let share = subject.nanoseconds > 0 ? Double(tally.sum) / Double(subject.nanoseconds) : 0
        let average = (tally.nanoseconds + limit * Int64(tally.calls)) / Int64(tally.calls)
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                phrase,
                [
                    "limit": .duration(limit), "time": .duration(average), "count": .count(Int64(tally.calls)),
                    "all": .count(Int64(tally.count)), "share": .share(share),
                ]),
            remedy: remedy)
    }
}
