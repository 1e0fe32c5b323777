import TrafficModel

/// A network that answers in the server's place, or adds to what the server sent.
struct Tampering: AuditRule {
    static let name = "tampering"
    private let limits: Audit.Limits

    /// What an API usually answers.
    private struct Habit {
        var kinds: [MediaKind: Int] = [:]
        var answers = 0
        /// How often a strong ETag was true.
        var confirmedTags = 0

        /// The kind that most answers are of.
        var usual: MediaKind? { kinds.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key }
    }

    private var habits: [Int: Habit] = [:]

    init(_ limits: Audit.Limits) { self.limits = limits }

    mutating func see(_ sighting: borrowing Sighting, _ ledger: inout AuditLedger) {
        guard let response = sighting.exchange.response else { return }
        seeGrowth(response, sighting, &ledger)
        let habit = habits[sighting.api, default: Habit()]
        let isEstablished = habit.answers >= limits.establishedAnswers
        if response.status == 511 {
            // RFC 6585, section 6: the network says so itself.
            claimAll(sighting, "a network that wants a login", &ledger)
        } else if (301...308).contains(response.status), isEstablished {
            let target = sighting.responseHead.text(sighting.responseHead.location)
            if let host = Site.host(ofURL: target), Site.of(host) != Site.of(sighting.exchange.request.host) {
                claimAll(sighting, "redirected to \(TerminalText.escaped(String(host.prefix(60))))", &ledger)
            }
        } else if (200...299).contains(response.status), let kind = MediaKind(response.contentType) {
            if kind == .html, isEstablished, let usual = habit.usual, usual != .html {
                claimAll(sighting, "HTML in place of \(usual.rawValue)", &ledger)
            }
            habits[sighting.api, default: Habit()].kinds[kind, default: 0] += 1
            habits[sighting.api]?.answers += 1
        }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        // What happens often is the API's own way.
        guard tally.calls > 0, Double(tally.calls) <= max(1, limits.strangeShare * Double(subject.seen)) else {
            return nil
        }
        return AuditVerdict(
            tally,
            problem: AuditSentence(.tampering, ["calls": subject.share(tally.calls), "kinds": tally.kindList]),
            remedy: .tamperingRemedy, isAlarm: true)
    }

    private func claimAll(_ sighting: borrowing Sighting, _ kind: String, _ ledger: inout AuditLedger) {
        ledger.claim(sighting, bytes: sighting.bytes, nanoseconds: sighting.nanoseconds, kind: kind)
    }

    /// The same version, named by a strong ETag, is the same bytes (RFC 9110, section 8.8.3).
    private mutating func seeGrowth(
        _ response: ResponseRecord, _ sighting: borrowing Sighting, _ ledger: inout AuditLedger
    ) {
        guard let earlier = sighting.earlier, earlier.strongTag != nil else { return }
        if sighting.isUnchanged {
            habits[sighting.api, default: Habit()].confirmedTags += 1
            return
        }
        guard habits[sighting.api, default: Habit()].confirmedTags >= limits.confirmedTags, sighting.status == 200,
            sighting.isWholeSuccess,
            let tag = sighting.responseHead.strongTag, tag == earlier.strongTag, let before = earlier.bodyBytes,
            response.contentEncoding == earlier.coding, response.bodyDigest != earlier.digest
        else { return }
        let growth = response.size.body.bytes.bytes - before
        guard growth != 0 else { return }
        ledger.claim(
            sighting, bytes: abs(growth), kind: "the same version with other bytes",
            other: growth > 0 ? nil : earlier.exchange)
    }
}
