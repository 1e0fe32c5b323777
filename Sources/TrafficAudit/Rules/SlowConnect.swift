import TrafficModel

/// Slow TCP handshakes; they depend on the host, not on the requests.
struct SlowConnect: AuditRule {
    static let name = "slow-connect"
    private let phase: SlowPhase

    init(_ limits: Audit.Limits) {
        phase = SlowPhase(
            phrase: .slowConnect, limit: limits.connect, remedy: .slowConnectRemedy, limits: limits)
    }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        phase.see(audited.hostTimings.connect, of: .host(audited.host), audited, &ledger)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? { phase.verdict(tally, subject) }
}
