import TextFormats
import TrafficModel

/// Signs of a network that responds in the server's place, or that adds to what the server sent.
struct Tampering: AuditRule {
    static let name = "tampering"
    private let limits: Audit.Limits

    /// The kind of content in a response.
    private enum Content: Hashable {
        case kind(MediaKind)
        /// Content without a Content-Type.
        case untyped
        case none

        /// Its name in a finding.
        var name: String {
            switch self {
            case .kind(let kind): kind.rawValue
            case .untyped: "content without a type"
            case .none: "no content"
            }
        }
    }

    /// The usual responses of an API.
    private struct Habit {
        var contents: [Content: Int] = [:]
        var answers = 0
        /// How often a strong ETag came with the same content again.
        var confirmedTags = 0
        /// The number of pages that were searched for scripts.
        var pages = 0

        /// The kind of content that most responses have.
        var usual: Content? { contents.max { ($0.value, $1.key.name) < ($1.value, $0.key.name) }?.key }
    }

    private var habits: [Int: Habit] = [:]
    private var pages: PageMemory
    /// The exchanges with a recorded change, so that each is recorded once.
    private var changed: Set<StoredExchange.ID> = []

    init(_ limits: Audit.Limits) {
        self.limits = limits
        pages = PageMemory(limits)
    }

    mutating func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard let response = audited.exchange.response else { return }
        let content = content(of: response, audited)
        findGrowth(response, audited, &ledger)
        if content == .kind(.html) { seeScripts(audited, &ledger) }
        findReturn(content, audited, &ledger)
        let habit = habits[audited.api, default: Habit()]
        let isEstablished = habit.answers >= limits.establishedAnswers
        if response.status == 511 {
            // RFC 6585, section 6: with 511, the network itself says so.
            claimAll(audited, "a network that wants a login", &ledger)
        } else if isEstablished, audited.isTransformed {
            claimAll(audited, "a proxy that says that it changed the content", &ledger)
        } else if (301...308).contains(response.status), response.status != 304, isEstablished {
            let target = audited.responseHead.text(audited.responseHead.location)
            if let host = Site.host(ofURL: target), Site.of(host) != Site.of(audited.exchange.request.host) {
                claimAll(audited, "redirected to \(TerminalText.escaped(String(host.prefix(60))))", &ledger)
            }
        } else if (200...299).contains(response.status) {
            if content == .kind(.html), isEstablished, let usual = habit.usual, usual != content {
                claimAll(audited, "HTML in place of \(usual.name)", &ledger)
            }
            habits[audited.api, default: Habit()].contents[content, default: 0] += 1
            habits[audited.api]?.answers += 1
        }
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        // Changes that happen often are normal for the API.
        guard tally.calls > 0, Double(tally.calls) <= max(1, limits.strangeShare * Double(subject.seen)) else {
            return nil
        }
        return AuditVerdict(
            tally,
            problem: AuditSentence(.tampering, ["calls": subject.share(tally.calls), "kinds": tally.kindList]),
            remedy: .tamperingRemedy, isAlarm: true)
    }

    private mutating func claimAll(_ audited: borrowing AuditedExchange, _ kind: String, _ ledger: inout AuditLedger) {
        guard changed.insert(audited.exchange.id).inserted else { return }
        ledger.claim(audited, bytes: audited.bytes, nanoseconds: audited.nanoseconds, kind: kind)
    }

    private func content(of response: ResponseRecord, _ audited: borrowing AuditedExchange) -> Content {
        if let kind = MediaKind(response.contentType) { return .kind(kind) }
        if response.size.body.bytes == .zero { return .none }
        return audited.bodies.page(of: audited).map(PageScripts.isPage) == true ? .kind(.html) : .untyped
    }

    /// Finds other bytes under the same strong ETag, which stands for the same bytes (RFC 9110, section 8.8.3).
    private mutating func findGrowth(
        _ response: ResponseRecord, _ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger
    ) {
        guard let earlier = audited.earlier, earlier.strongTag != nil else { return }
        if audited.isUnchanged {
            habits[audited.api, default: Habit()].confirmedTags += 1
            return
        }
        guard habits[audited.api, default: Habit()].confirmedTags >= limits.confirmedTags, audited.status == 200,
            audited.isWholeSuccess,
            let tag = audited.responseHead.strongTag, tag == earlier.strongTag, let before = earlier.bodyBytes,
            response.contentEncoding == earlier.coding, response.bodyDigest != earlier.digest
        else { return }
        let growth = response.size.body.bytes.bytes - before
        guard growth != 0 else { return }
        let longer = growth > 0 ? audited.exchange.id : earlier.exchange
        guard changed.insert(longer).inserted else { return }
        ledger.claim(audited, bytes: abs(growth), kind: "the same version with other bytes", other: longer)
    }

    /// Finds a page that grew, and then had its old content again.
    ///
    /// Only without TLS: on the way, no one can add to what TLS carries, and servers change their pages as they like.
    private mutating func findReturn(
        _ content: Content, _ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger
    ) {
        guard audited.exchange.request.scheme == "http", audited.isSafe else { return }
        for stray in audited.returned {
            let isChanged =
                switch content {
                case .kind(.html), .kind(.script): stray.growth > 0
                // The kind of content is unknown; other header names suggest another server.
                case .untyped: stray.hasOtherNames
                default: false
                }
            guard isChanged, changed.insert(stray.exchange).inserted else { continue }
            ledger.claim(
                audited, bytes: max(0, stray.growth), kind: "other bytes between two equal answers",
                other: stray.exchange)
        }
    }

    /// Finds a page that runs a script which it did not run before.
    private mutating func seeScripts(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        guard audited.isSafe, audited.status == 200, audited.isWholeSuccess,
            let page = audited.bodies.page(of: audited)
        else { return }
        let known = habits[audited.api, default: Habit()].pages
        habits[audited.api, default: Habit()].pages += 1
        let exchange = audited.exchange.id
        switch pages.see(PageScripts(of: page, from: audited.exchange.request.host), audited) {
        case .usual: return
        case .added(let sites, let bytes):
            guard known >= limits.establishedAnswers, changed.insert(exchange).inserted else { return }
            let kind =
                sites.min().map { "a script from \(TerminalText.escaped($0))" } ?? "a script that the page did not have"
            ledger.claim(audited, bytes: bytes, kind: kind)
            pages.keep(
                PageMemory.Claim(exchange: exchange, api: audited.api, bytes: bytes, kind: kind, sites: sites),
                audited)
        case .settled(let claims):
            // The addition stays, so it is the server's own.
            for claim in claims {
                changed.remove(claim.exchange)
                ledger.revoke(claim.exchange, of: claim.api, bytes: claim.bytes, nanoseconds: 0, kind: claim.kind)
            }
        }
    }
}

extension AuditedExchange {
    /// Whether a proxy says that it changed the content: by status 203 (RFC 9110, section 15.3.4) or warning 214 (RFC
    /// 7234, section 5.5.6).
    fileprivate var isTransformed: Bool {
        status == 203 || responseHead.text(responseHead.warning).hasPrefix("214")
    }
}
