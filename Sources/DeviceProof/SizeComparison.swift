internal import TrafficModel
internal import TrafficOrigin

/// A recorded size beside the bytes of the origin's log.
struct SizeComparison {
    private let size: WireSize
    private let truth: MessageBytes
    /// Whether the client may have read less than was written.
    private let isCut: Bool

    init(_ size: WireSize, _ truth: MessageBytes, isCut: Bool) {
        self.size = size
        self.truth = truth
        self.isCut = isCut
    }

    func line(_ name: String) -> ProofLine {
        ProofLine(
            name, verdict,
            expected: "\(truth.total) = \(truth.startLine) + \(truth.fields) + \(truth.interim) + "
                + "\(truth.body) + \(truth.framing)",
            found: "\(text(size.total)) = "
                + [size.startLine, size.fields, size.interim, size.body, size.framing].map {
                    text($0.evidence == .unknown ? nil : $0.bytes)
                }.joined(separator: " + ") + (size.margin.map { " ± \($0.bytes)" } ?? ""),
            evidence: size.evidence)
    }

    private func text(_ bytes: ByteCount?) -> String { bytes.map { "\($0.bytes)" } ?? "?" }

    private var verdict: ProofLine.Verdict {
        guard let total = size.total else { return .unknown }
        let off = abs(total.bytes - Int64(truth.total))
        if off == 0 { return areSumsExact ? .exact : .differs }
        if isCut && total.bytes < Int64(truth.total) { return .unknown }
        if let margin = size.margin { return off <= margin.bytes ? .withinMargin : .differs }
        // Nothing bounds a reconstructed size without a margin. A count has no excuse.
        return size.evidence == .reconstructed ? .unknown : .differs
    }

    /// Whether the parts that a count separates are those of the log: headers with the start line, and the body with
    /// its framing.
    private var areSumsExact: Bool {
        guard size.evidence > .reconstructed else { return true }
        return (size.startLine.bytes + size.fields.bytes).bytes == Int64(truth.startLine + truth.fields)
            && (size.body.bytes + size.framing.bytes).bytes == Int64(truth.body + truth.framing)
    }
}
