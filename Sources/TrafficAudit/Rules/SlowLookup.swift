import TrafficModel

/// Slow name lookups; they depend on the name, not on the port or the requests.
struct SlowLookup: AuditRule {
    static let name = "slow-dns"
    private let phase: SlowPhase

    init(_ limits: Audit.Limits) {
        phase = SlowPhase(
            phrase: .slowLookup, limit: limits.lookup, remedy: .slowLookupRemedy, limits: limits)
    }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        phase.see(audited.hostTimings.dns, of: .name(audited.name), audited, &ledger)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? { phase.verdict(tally, subject) }
}
