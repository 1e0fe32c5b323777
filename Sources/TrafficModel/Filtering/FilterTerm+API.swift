extension FilterTerm {
    /// Whether the name of an API decides the term.
    var isAboutAPI: Bool {
        switch key {
        case .method, .api, .direction: true
        case .host: values.allSatisfy(Self.isAnyPort)
        default: false
        }
    }

    /// Whether an API meets the term, if its name decides that.
    package func matches(_ api: TrafficTotal.Key) -> Bool { values.contains { matches($0, api) } != isNegated }

    // The name of an API lacks the port if it is the scheme's own.
    private static func isAnyPort(_ value: FilterValue) -> Bool {
        guard case .text(let pattern) = value else { return false }
        return HostPattern(pattern).port == nil
    }

    private func matches(_ value: FilterValue, _ api: TrafficTotal.Key) -> Bool {
        switch value {
        case .direction(let direction): return api.direction == direction
        case .text(let pattern):
            let authority = api.host ?? ""
            switch key {
            case .method: return pattern.matches(api.method ?? "", .whole)
            case .host: return HostPattern(pattern).matches(Authority.split(authority).host, authority: authority)
            default: return Self.matches(api: pattern, api, host: Authority.split(authority).host)
            }
        default: return false
        }
    }
}
