import TrafficModel

/// Responses whose first byte takes long.
struct SlowServer: AuditRule {
    static let name = "slow-server"
    static let examinesServed = true
    private let phase: SlowPhase

    init(_ limits: Audit.Limits) {
        phase = SlowPhase(
            phrase: .slowServer, limit: limits.wait, remedy: .slowServerRemedy, limits: limits)
    }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        phase.see(audited.exchange.end?.timings.wait, of: .api(audited.api), audited, &ledger)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? { phase.verdict(tally, subject) }
}
