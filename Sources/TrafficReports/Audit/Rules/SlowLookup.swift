import TrafficModel

/// Name lookups that take long.
struct SlowLookup: AuditRule {
    static let name = "slow-dns"
    private let phase: SlowPhase

    init(_ limits: Audit.Limits) {
        phase = SlowPhase(
            name: "The name lookup", limit: limits.lookup,
            remedy: "Use a resolver nearby, longer times to live, or fewer host names.", limits: limits)
    }

    func see(_ sighting: borrowing Sighting, _ ledger: inout AuditLedger) {
        phase.see(sighting.exchange.end?.timings.dns, sighting, &ledger)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? { phase.verdict(tally, subject) }
}
