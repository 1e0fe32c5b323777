internal import TrafficModel

/// How two runs name the services of a machine, so that each is beside itself.
///
/// A service that listens at another port in each run is named with `*` for its port: `127.0.0.1:*`.
package enum PortRule: String, Sendable, CaseIterable {
    /// Each port is a service, but for those that systems hand out by themselves on the machine itself, which are all one.
    case fixed
    /// Each port is a service.
    case each
    /// All ports of a host are one service, but for those that are the scheme's own.
    case any

    /// From where on systems choose ports for those who ask for any: Linux here, others at 49152 (RFC 6335, section 6).
    private static let firstChosen = 32_768

    /// The name of an authority.
    package func name(of authority: String) -> String {
        let (host, port) = Authority.split(authority)
        guard let port else { return authority }
        switch self {
        case .each: return authority
        case .any: return host + Self.anyPort
        case .fixed: return port >= Self.firstChosen && Authority.isLoopback(host) ? host + Self.anyPort : authority
        }
    }

    /// Sums under their names; those that have the same become one.
    func named(_ totals: [TrafficTotal]) -> [TrafficTotal] {
        if self == .each { return totals }
        var sums: [TrafficTotal.Key: TrafficTotal] = [:]
        for total in totals {
            var key = total.key
            key.host = key.host.map { name(of: $0) }
            sums[key, default: TrafficTotal(key: key)].merge(total)
        }
        return Array(sums.values)
    }

    /// What stands for any port.
    static let anyPort = ":*"
}
