internal import TrafficModel

extension ResponseRecord {
    /// Takes bytes away that the kernel never sent; `evidence`: of the parts that lose some.
    mutating func withdraw(_ unsent: Int64, _ evidence: Evidence) {
        size.withdraw(unsent, evidence)
        if unsent > 0 {
            decodedBody = .unknown
            bodyDigest = nil
        }
    }
}

extension WireSize {
    /// Takes bytes away that the kernel never sent.
    ///
    /// They are the last ones, so the body loses bytes first.
    mutating func withdraw(_ unsent: Int64, _ evidence: Evidence = .reported) {
        var rest = unsent
        func less(_ part: Part) -> Part {
            let taken = min(part.bytes.bytes, rest)
            rest -= taken
            return taken == 0 ? part : .init(ByteCount(part.bytes.bytes - taken), min(part.evidence, evidence))
        }
        guard rest > 0 else { return }
        body = less(body)
        framing = less(framing)
        fields = less(fields)
        if cookies.bytes > fields.bytes {
            // Some lines of cookies are among the bytes that were not sent.
            cookies = .init(fields.bytes, min(cookies.evidence, .reconstructed))
        }
        startLine = less(startLine)
    }
}
