import TrafficModel

/// Many simultaneous connections to a host with HTTP/1.1; with HTTP/2 one would do (RFC 9113, section 5).
struct ManyConnections: AuditRule {
    static let name = "many-connections"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        // Clients negotiate HTTP/2 inside TLS; over plain TCP none does by default.
        guard case .besideBusy(let count) = audited.opening, audited.exchange.request.scheme == "https",
            audited.exchange.request.httpVersion.hasPrefix("1"), let timings = audited.exchange.end?.timings
        else { return }
        ledger.claim(audited, for: .host(audited.host), bytes: 0, nanoseconds: timings.handshakes)
        ledger.change(.host(audited.host)) { $0.sum = max($0.sum, Int64(count)) }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.sum > limits.parallelConnections else { return nil }
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                .manyConnections, ["most": .count(tally.sum), "count": .count(Int64(tally.calls))]),
            remedy: .manyConnectionsRemedy)
    }
}

extension ExchangeTimings {
    /// The time to open the connection, in nanoseconds: name lookup, TCP and TLS.
    var handshakes: Int64 { max(0, dns ?? 0) + max(0, connect ?? 0) + max(0, tls ?? 0) }
}
