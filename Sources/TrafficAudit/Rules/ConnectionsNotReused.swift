import TrafficModel

/// Connections that were opened while another to the same origin was idle (RFC 9112, section 9.3).
struct ConnectionsNotReused: AuditRule {
    static let name = "connections-not-reused"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard audited.opening?.isAvoidable == true, let timings = audited.exchange.end?.timings else { return }
        ledger.claim(
            audited, bytes: 0, nanoseconds: timings.handshakes,
            kind: timings.tls == nil ? "without TLS" : "with TLS")
        // The response before this one is not known here, but servers that close after each response usually say so in
        // each.
        if let connection = audited.responseHead.connection, audited.responseHead.contains("close", connection) {
            ledger.change(.api(audited.api)) { $0.count += 1 }
        }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls >= limits.leastOpenings else { return nil }
        let isServer = tally.count * 2 > tally.calls
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                isServer ? .notReusedClosed : .notReused,
                ["calls": subject.share(tally.calls), "time": .duration(tally.nanoseconds / Int64(tally.calls))]),
            remedy: isServer ? .notReusedServerRemedy : .notReusedRemedy)
    }
}
