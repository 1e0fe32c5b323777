import TrafficModel

/// Chunked bodies (RFC 9112, section 7.1) with chunks so small that their framing matters.
struct TinyChunks: AuditRule {
    static let name = "tiny-chunks"
    static let examinesServed = true
    private let limits: Audit.Limits

    /// Bytes that a server with a buffer typically writes at once.
    private static let usualChunk: Int64 = 16_384
    /// Bytes of the size line `4000` and two line ends.
    private static let usualFraming: Int64 = 8
    /// Bytes of the last chunk with its empty line.
    private static let lastChunk: Int64 = 5

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard let response = audited.exchange.response, response.httpVersion.hasPrefix("1"),
            let coding = audited.responseHead.transferEncoding, audited.responseHead.contains("chunked", coding)
        else { return }
        let body = response.size.body.bytes.bytes
        let framing = response.size.framing.bytes.bytes
        guard body > limits.smallChunkedBody, Double(framing) > limits.framingShare * Double(body) else { return }
        let needed = (body + Self.usualChunk - 1) / Self.usualChunk * Self.usualFraming + Self.lastChunk
        ledger.claim(audited, bytes: max(0, framing - needed))
        ledger.change(.api(audited.api)) {
            $0.sum += framing
            $0.count += Int(body)
        }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls > 0 else { return nil }
        let share = Double(tally.sum) / Double(max(1, tally.count))
        return AuditVerdict(
            tally,
            problem: AuditSentence(.tinyChunks, ["share": .share(share), "calls": subject.share(tally.calls)]),
            remedy: .tinyChunksRemedy)
    }
}
