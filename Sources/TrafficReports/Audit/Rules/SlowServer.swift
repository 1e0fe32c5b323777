import TrafficModel

/// Answers whose first byte takes long.
struct SlowServer: AuditRule {
    static let name = "slow-server"
    private let phase: SlowPhase

    init(_ limits: Audit.Limits) {
        phase = SlowPhase(
            name: "The server's first byte", limit: limits.wait,
            remedy: "Look into what the server does meanwhile; cache, or answer before all is done.", limits: limits)
    }

    func see(_ sighting: borrowing Sighting, _ ledger: inout AuditLedger) {
        phase.see(sighting.exchange.end?.timings.wait, sighting, &ledger)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? { phase.verdict(tally, subject) }
}
