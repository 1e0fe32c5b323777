import TrafficModel

/// Calls whose cookies, both directions together, exceed a limit.
struct OversizedCookies: AuditRule {
    static let name = "oversized-cookies"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        let exchange = audited.exchange
        let cookies =
            (exchange.request.size.cookies.bytes + (exchange.response?.size.cookies.bytes ?? .zero)).bytes
        guard cookies > (audited.isThirdParty ? limits.thirdPartyCookies : limits.firstPartyCookies) else { return }
        ledger.claim(audited, bytes: cookies - limits.sessionCookie)
        ledger.change(.api(audited.api)) { $0.sum += cookies }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls > 0 else { return nil }
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                subject.isThirdParty ? .thirdPartyCookies : .firstPartyCookies,
                [
                    "size": .bytes(ByteCount(tally.sum / Int64(tally.calls))), "calls": subject.share(tally.calls),
                    "sum": .bytes(ByteCount(tally.sum)),
                ]),
            remedy: subject.isThirdParty ? .thirdPartyCookiesRemedy : .firstPartyCookiesRemedy)
    }
}
