import TrafficModel

/// Images with more bytes than a screen can show.
struct LargeImages: AuditRule {
    static let name = "large-images"
    static let examinesServed = true
    private let limits: Audit.Limits

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard let response = audited.exchange.response, MediaKind(response.contentType) == .image else { return }
        let body = response.size.body.bytes.bytes
        guard body > limits.largeImage else { return }
        let excess = body - limits.largeImage
        ledger.claim(audited, bytes: excess, nanoseconds: audited.receiving(excess), kind: response.contentType)
        ledger.change(.api(audited.api)) { $0.sum += body }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls > 0 else { return nil }
        return AuditVerdict(
            tally,
            problem: AuditSentence(
                .largeImages,
                [
                    "size": .bytes(ByteCount(tally.sum / Int64(tally.calls))), "calls": subject.share(tally.calls),
                    "kinds": tally.kindList,
                ]),
            remedy: .largeImagesRemedy
        ).estimated(AuditSentence(.largeImagesSource, ["size": .bytes(ByteCount(limits.largeImage))]))
    }
}
