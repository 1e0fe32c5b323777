import TrafficModel

/// Text that is sent uncompressed; gzip would halve it (RFC 9110, section 8.4).
struct TextWithoutCoding: AuditRule {
    static let name = "text-without-coding"
    static let examinesServed = true
    private let limits: Audit.Limits
    private var gain = CodingGain()
    private var kinds: [Int: MediaKind] = [:]

    init(_ limits: Audit.Limits) { self.limits = limits }

    mutating func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        gain.learn(audited)
        guard let response = audited.exchange.response, response.contentEncoding.isEmpty,
            response.size.body.evidence != .unknown, let kind = MediaKind(response.contentType), kind.isText
        else { return }
        let body = response.size.body.bytes.bytes
        // Part of a resource cannot be compressed by itself.
        guard body > limits.smallText, response.status != 206 else { return }
        // A server must not compress for a client that does not accept it.
        if audited.request.direction == .served, !audited.requestHead.acceptsCoding { return }
        gain.note(audited, body: body, compressed: audited.bodies.gzippedResponse(of: audited))
        kinds[audited.api] = kind
        ledger.claim(audited, bytes: body, nanoseconds: audited.receiving(body), kind: kind.rawValue)
        if audited.requestHead.acceptsCoding { ledger.change(.api(audited.api)) { $0.count += 1 } }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard let api = subject.number, let kind = kinds[api] else { return nil }
        let asked = tally.count * 2 >= tally.calls
        let problem = AuditSentence(
            asked ? .uncodedAsked : .uncodedUnasked,
            [
                "kind": .content(kind.rawValue), "size": .bytes(ByteCount(tally.bytes / Int64(max(1, tally.calls)))),
                "calls": subject.share(tally.calls),
            ])
        var verdict = AuditVerdict(tally, problem: problem, remedy: .uncodedUnaskedRemedy)
        if asked { verdict.remedy = AuditSentence(.uncodedAskedRemedy, ["kind": .content(kind.rawValue)]) }
        return gain.verdict(tally, api: api, kind: kind, verdict)
    }
}
