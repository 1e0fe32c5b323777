import TrafficModel

/// TLS handshakes that take long.
struct SlowTLS: AuditRule {
    static let name = "slow-tls"
    private let phase: SlowPhase

    init(_ limits: Audit.Limits) {
        phase = SlowPhase(
            name: "The TLS handshake", limit: limits.tls,
            remedy: "Use TLS 1.3, session resumption and a short certificate chain, and keep connections open.",
            limits: limits)
    }

    func see(_ sighting: borrowing Sighting, _ ledger: inout AuditLedger) {
        phase.see(sighting.exchange.end?.timings.tls, sighting, &ledger)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? { phase.verdict(tally, subject) }
}
