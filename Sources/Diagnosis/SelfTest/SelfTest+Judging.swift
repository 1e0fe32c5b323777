internal import TrafficModel
internal import TrafficOrigin

extension SelfTest.Check {
    /// Compares what an origin logged of a style's canaries with what was metered.
    ///
    /// - Parameters:
    ///   - style: the style.
    ///   - origin: the origin that the canaries went to.
    ///   - log: the metered exchanges.
    ///   - failure: the canary's own error; nil if it succeeded.
    ///   - obstacle: why the meter could not run; nil if it ran.
    package init(
        _ style: SelfTest.Style, origin: CanaryOrigin, log: CanaryLog, failure: String? = nil,
        obstacle: SelfTest.Verdict? = nil
    ) {
        let expected = origin.count(of: style)
        let exchanges = log.exchanges(of: style)
        let metered = exchanges.isEmpty ? nil : SelfTest.Count(exchanges)
        let verdict: SelfTest.Verdict
        if let obstacle {
            verdict = obstacle
        } else if expected == nil {
            verdict = .cannotRun(reason: failure ?? "the request never reached the origin on this machine")
        } else {
            verdict = Self.verdict(expected: expected, metered: metered, exchanges, failure: failure)
        }
        self.init(style: style, expected: expected, metered: metered, verdict: verdict)
    }

    private static func verdict(
        expected: SelfTest.Count?, metered: SelfTest.Count?, _ exchanges: [Exchange], failure: String?
    ) -> SelfTest.Verdict {
        guard let expected, let metered else {
            return .notMetered(reason: "the requests were made, and the tap did not see them")
        }
        if metered.exchanges != expected.exchanges {
            return .off(reason: "\(metered.exchanges) exchanges metered, \(expected.exchanges) made")
        }
        if metered != expected {
            let up = metered.up.bytes - expected.up.bytes
            let down = metered.down.bytes - expected.down.bytes
            let parts = [(up, "up"), (down, "down")].filter { $0.0 != 0 }
                .map { "\($0.0.magnitude) bytes too \($0.0 > 0 ? "many" : "few") \($0.1)" }
            return .off(reason: parts.joined(separator: ", "))
        }
        // libcurl counts the empty line after a `100 Continue`, so its evidence is `reported`; that count is as good.
        let evidence = exchanges.map { min($0.request.size.evidence, $0.response?.size.evidence ?? .unknown) }.min()
        if let evidence, evidence < .reported {
            return .off(reason: "the sum is right, but a part of it is only '\(evidence)'")
        }
        if let failure { return .off(reason: "metered exactly, but the request failed: \(failure)") }
        return .exact
    }
}

extension SelfTest.Count {
    init(_ exchanges: [Exchange]) {
        self.init(exchanges: exchanges.count)
        for exchange in exchanges {
            up += exchange.request.size.known
            down += exchange.response?.size.known ?? .zero
        }
    }
}
