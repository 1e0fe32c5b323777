import TrafficModel

/// A body that the client already had; the server would have said so in response to a conditional request.
struct UnusedValidators: AuditRule {
    static let name = "unused-validators"
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard let body = audited.repeatedBody(limits), !audited.requestHead.isConditional,
            audited.earlier?.hasValidator == true
        else { return }
        ledger.claim(audited, bytes: body, nanoseconds: audited.receiving(body))
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls >= limits.leastRepetitions else { return nil }
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                .validators, ["calls": subject.share(tally.calls), "size": .bytes(ByteCount(tally.bytes))]),
            remedy: .validatorsRemedy)
    }
}
