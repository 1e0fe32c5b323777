import TrafficModel

/// TCP handshakes that take long.
struct SlowConnect: AuditRule {
    static let name = "slow-tcp"
    private let phase: SlowPhase

    init(_ limits: Audit.Limits) {
        phase = SlowPhase(
            phrase: .slowConnect, limit: limits.connect, remedy: .slowConnectRemedy, limits: limits)
    }

    func see(_ sighting: borrowing Sighting, _ ledger: inout AuditLedger) {
        phase.see(sighting.exchange.end?.timings.connect, sighting, &ledger)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? { phase.verdict(tally, subject) }
}
