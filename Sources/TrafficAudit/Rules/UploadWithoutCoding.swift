import TrafficModel

/// Text that is uploaded uncompressed.
struct UploadWithoutCoding: AuditRule {
    static let name = "upload-without-coding"
    private let limits: Audit.Limits
    private var gain = CodingGain()
    private var kinds: [Int: MediaKind] = [:]

    init(_ limits: Audit.Limits) { self.limits = limits }

    mutating func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        gain.learn(audited)
        let request = audited.exchange.request
        let body = request.size.body.bytes.bytes
        guard body > limits.smallText, audited.requestHead.contentEncoding == nil,
            let kind = audited.requestHead.mediaKind, kind.isText
        else { return }
        gain.note(audited, body: body, compressed: audited.bodies.gzippedRequest(of: audited))
        kinds[audited.api] = kind
        ledger.claim(
            audited, bytes: body, nanoseconds: max(0, audited.exchange.end?.timings.send ?? 0), kind: kind.rawValue)
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard let api = subject.number, let kind = kinds[api] else { return nil }
        let problem = AuditSentence(
            .uncodedUpload,
            [
                "kind": .content(kind.rawValue), "size": .bytes(ByteCount(tally.bytes / Int64(max(1, tally.calls)))),
                "calls": subject.share(tally.calls),
            ])
        return gain.verdict(
            tally, api: api, kind: kind, AuditVerdict(tally, problem: problem, remedy: .uncodedUploadRemedy))
    }
}
