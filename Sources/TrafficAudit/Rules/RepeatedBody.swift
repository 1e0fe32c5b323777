import TrafficModel

/// A body that the client already had.
///
/// Its server gives no way to ask whether it changed (RFC 9110, section 8.8), or ignores the question.
struct RepeatedBody: AuditRule {
    static let name = "repeated-body"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard let body = audited.repeatedBody(limits) else { return }
        if audited.requestHead.isConditional {
            ledger.claim(audited, bytes: body, nanoseconds: audited.receiving(body), kind: "asked with a validator")
        } else if audited.earlier?.hasValidator == false {
            ledger.claim(audited, bytes: body, nanoseconds: audited.receiving(body), kind: "without a validator")
        }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls >= limits.leastRepetitions else { return nil }
        let isIgnored = (tally.kinds["asked with a validator"] ?? 0) * 2 > tally.calls
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                isIgnored ? .repeatedAsked : .repeatedUnnamed,
                ["calls": subject.share(tally.calls), "size": .bytes(ByteCount(tally.bytes))]),
            remedy: isIgnored ? .repeatedAskedRemedy : .repeatedUnnamedRemedy)
    }
}
