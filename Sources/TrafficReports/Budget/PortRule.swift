package import TrafficModel

/// Decides how two runs name the services of a machine, so that each service is compared with itself.
///
/// A service that listens on another port in each run is named with `*` for its port: `127.0.0.1:*`.
package enum PortRule: String, Sendable, CaseIterable {
    /// Each port is a service, except loopback ports that the system chooses: these are all one service.
    case fixed
    /// Each port is a service.
    case each
    /// All ports of a host are one service, except the scheme's default.
    case any

    /// The first port that Linux chooses by itself; other systems start at 49152 (RFC 6335, section 6).
    private static let firstChosen = 32_768

    /// The name of an authority under this rule.
    package func name(of authority: String) -> String {
        let (host, port) = Authority.split(authority)
        guard let port else { return authority }
        switch self {
        case .each: return authority
        case .any: return host + Self.anyPort
        case .fixed: return port >= Self.firstChosen && Authority.isLoopback(host) ? host + Self.anyPort : authority
        }
    }

    /// Sums under their names; sums of the same name are added up.
    package func named(_ totals: [TrafficTotal]) -> [TrafficTotal] {
        if self == .each { return totals }
        var sums: [TrafficTotal.Key: TrafficTotal] = [:]
        for total in totals {
            var key = total.key
            key.host = key.host.map { name(of: $0) }
            sums[key, default: TrafficTotal(key: key)].merge(total)
        }
        return Array(sums.values)
    }

    /// The mark for any port.
    static let anyPort = ":*"
}
