import TrafficModel

/// Slow TLS handshakes; they depend on the host, not on the requests.
struct SlowTLS: AuditRule {
    static let name = "slow-tls"
    private let phase: SlowPhase

    init(_ limits: Audit.Limits) {
        phase = SlowPhase(
            phrase: .slowTLS, limit: limits.tls, remedy: .slowTLSRemedy, limits: limits)
    }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        phase.see(audited.hostTimings.tls, of: .host(audited.host), audited, &ledger)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? { phase.verdict(tally, subject) }
}
