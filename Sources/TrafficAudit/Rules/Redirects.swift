import TrafficModel

/// Responses that only redirect to another URL (RFC 9110, section 15.4).
struct Redirects: AuditRule {
    static let name = "redirects"
    private let limits: Audit.Limits

    private static let chain = "one redirect after the other"
    private static let secure = "from http to https"
    private static let slash = "for a trailing slash"
    private static let permanent = "permanent"
    private static let temporary = "temporary"

    init(_ limits: Audit.Limits) { self.limits = limits }

    func see(_ audited: borrowing AuditedExchange, _ ledger: inout AuditLedger) {
        // 303 is left out: it is the intended response to a posted form (RFC 9110, section 15.4.4).
        guard [301, 302, 307, 308].contains(audited.status), audited.responseHead.location != nil else { return }
        ledger.claim(
            audited, bytes: audited.bytes, nanoseconds: audited.nanoseconds, kind: Self.kind(audited))
    }

    func verdict(_ tally: AuditTally, _ subject: AuditSubject) -> AuditVerdict? {
        guard tally.calls >= limits.leastRedirects else { return nil }
        let most = tally.kinds.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        let remedy: AuditPhrase =
            switch most {
            case Self.secure: .secureRedirectRemedy
            case Self.slash: .slashRedirectRemedy
            case Self.chain: .chainRedirectRemedy
            case Self.permanent: .permanentRedirectRemedy
            default: .redirectRemedy
            }
        return AuditVerdict(
            tally,
            problem: AuditSentence(.redirects, ["calls": subject.share(tally.calls), "kinds": tally.kindList]),
            remedy: remedy)
    }

    private static func kind(_ audited: borrowing AuditedExchange) -> String {
        let request = audited.exchange.request
        let target = audited.responseHead.text(audited.responseHead.location)
        let host = Site.host(ofURL: target)
        if request.scheme == "http", host == request.host, target.lowercased().hasPrefix("https:") { return secure }
        if host == nil || host == request.host, differsBySlash(path(of: target), request.path) { return slash }
        if request.resendCount > 0 { return chain }
        return audited.status == 301 || audited.status == 308 ? permanent : temporary
    }

    private static func path(of url: String) -> Substring {
        var rest = url[...]
        if let scheme = rest.firstRange(of: "//") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" }
        }
        return rest.prefix { $0 != "?" && $0 != "#" }
    }

    private static func differsBySlash(_ left: Substring, _ right: String) -> Bool {
        left.count > right.count ? left == right + "/" : right == left + "/"
    }
}
