import TrafficModel

/// What content coding would save on bodies that were sent uncoded.
///
/// It is measured if bodies were kept; otherwise it is the ratio of similar responses that were coded: of the same API,
/// else of the host, else of the file.
struct CodingGain {
    /// The assumed ratio if none was measured: nine of ten JSON, HTML, CSS, script and XML files of a Debian system
    /// become smaller than this under gzip.
    static let generalRatio = 0.5

    private struct Sums {
        var decoded: Int64 = 0
        var coded: Int64 = 0
        var count = 0

        mutating func add(decoded: Int64, coded: Int64) {
            self.decoded += decoded
            self.coded += coded
            count += 1
        }

        var ratio: Double? { decoded > 0 ? min(1, Double(coded) / Double(decoded)) : nil }
    }

    private struct Place: Hashable {
        var subject: AuditSubjectID?
        var kind: MediaKind
    }

    private var coded: [Place: Sums] = [:]
    private var kept: [Int: Sums] = [:]
    private var hosts: [Int: Int] = [:]

    /// Learns the ratio of a response that was coded.
    mutating func learn(_ audited: borrowing AuditedExchange) {
        guard let response = audited.exchange.response, !response.contentEncoding.isEmpty,
            response.decodedBody.evidence != .unknown, response.size.body.evidence != .unknown,
            response.size.body.bytes > 0, response.decodedBody.bytes > 0, let kind = MediaKind(response.contentType)
        else { return }
        let decoded = response.decodedBody.bytes.bytes
        let size = response.size.body.bytes.bytes
        for subject in [AuditSubjectID.api(audited.api), .host(audited.host), nil] {
            coded[Place(subject: subject, kind: kind), default: Sums()].add(decoded: decoded, coded: size)
        }
    }

    /// Records that a body was sent uncoded, and its compressed size if it was kept.
    mutating func note(_ audited: borrowing AuditedExchange, body: Int64, compressed: Int64?) {
        hosts[audited.api] = audited.host
        if let compressed {
            kept[audited.api, default: Sums()].add(decoded: body, coded: min(body, compressed))
        }
    }

    /// Scales a verdict; the tally must hold the bytes and time of all uncoded bodies of an API.
    func verdict(_ tally: AuditTally, api: Int, kind: MediaKind, _ verdict: AuditVerdict) -> AuditVerdict {
        var verdict = verdict
        let (ratio, source, isWhole) = ratio(api: api, kind: kind, bytes: tally.bytes)
        verdict.bytes = Int64(clamping: Double(tally.bytes) * (1 - ratio))
        verdict.nanoseconds = Int64(clamping: Double(tally.nanoseconds) * (1 - ratio))
        if !isWhole { return verdict.estimated(source) }
        if !tally.isEstimated { verdict.source = source }
        return verdict
    }

    private func ratio(api: Int, kind: MediaKind, bytes: Int64) -> (Double, source: AuditSentence, isWhole: Bool) {
        if let kept = kept[api], let ratio = kept.ratio {
            let isWhole = kept.decoded >= bytes
            let source = AuditSentence(
                kept.count == 1 ? .keptBody : .keptBodies, ["count": .count(Int64(kept.count)), "share": .share(ratio)])
            return (ratio, source, isWhole)
        }
        let places: [(AuditSubjectID?, AuditPhrase)] = [
            (.api(api), .ratioOfAPI), (hosts[api].map { .host($0) }, .ratioOfHost), (nil, .ratioOfFile),
        ]
        for (subject, phrase) in places {
            guard let ratio = coded[Place(subject: subject, kind: kind)]?.ratio else { continue }
            return (ratio, AuditSentence(phrase, ["kind": .content(kind.rawValue), "share": .share(ratio)]), false)
        }
        return (Self.generalRatio, AuditSentence(.ratioInGeneral), false)
    }
}
