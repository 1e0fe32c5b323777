import TrafficModel

/// What the rules about slow phases have in common.
struct SlowPhase {
    /// What is said of the phase.
    let phrase: AuditPhrase
    /// How long it may take.
    let limit: Int64
    /// What to do.
    let remedy: AuditPhrase
    let limits: Audit.Limits

    /// Looks at the phase of one exchange, for whom it is a matter of: the API, the host that is connected to, the name
    /// that is looked up.
    func see(
        _ time: Int64?, of subject: AuditSubjectID, _ sighting: borrowing Sighting, _ ledger: inout AuditLedger
    ) {
        guard let time else { return }
        ledger.change(subject) {
            $0.count += 1
            $0.sum += max(0, time)
        }
        if time > limit { ledger.claim(sighting, for: subject, bytes: 0, nanoseconds: time - limit) }
    }

    /// Speaks when more than a share of the phases was slow.
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
