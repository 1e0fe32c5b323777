internal import TrafficModel

/// Decides which hosts are metered.
///
/// A pattern is a host (`api.example.com`), all hosts below one (`*.example.com`, which does not match `example.com`
/// itself), or `*`. Each may name a port (`127.0.0.1:8080`); without one it matches every port. Comparisons ignore case
/// and a final dot.
package struct HostFilter: Hashable, Sendable {
    /// A parsed pattern.
    private struct Pattern: Hashable {
        enum Name: Hashable {
            case exactly(String)
            case below(String)
            case any
        }

        var name: Name
        /// The port; nil for any port.
        var port: Int?
    }

    private let included: [Pattern]
    private let excluded: [Pattern]

    /// A filter with those patterns.
    ///
    /// - Parameters:
    ///   - include: patterns of the hosts to meter; empty for all hosts.
    ///   - exclude: patterns of the hosts to leave out, even if they match `include`.
    package init(include: [String] = [], exclude: [String] = []) {
        included = include.map(Self.pattern)
        excluded = exclude.map(Self.pattern)
    }

    /// A filter that every host passes.
    package static let everything = HostFilter()

    /// Whether exchanges with that host and port are metered.
    package func allows(_ host: String, port: Int) -> Bool {
        if included.isEmpty && excluded.isEmpty { return true }
        let host = Self.normal(host)
        if excluded.contains(where: { Self.matches($0, host, port) }) { return false }
        return included.isEmpty || included.contains { Self.matches($0, host, port) }
    }

    /// Whether exchanges with that host may be metered, at some port.
    package func allows(_ host: String) -> Bool {
        let host = Self.normal(host)
        if excluded.contains(where: { $0.port == nil && Self.matches($0, host, 0) }) { return false }
        return included.isEmpty || included.contains { Self.matches($0, host, $0.port ?? 0) }
    }

    private static func pattern(_ text: String) -> Pattern {
        let (name, port) = Authority.split(text)
        let host = normal(name)
        if host == "*" { return Pattern(name: .any, port: port) }
        return Pattern(name: host.hasPrefix("*.") ? .below(String(host.dropFirst())) : .exactly(host), port: port)
    }

    private static func normal(_ host: String) -> String {
        // An IPv6 address gets brackets if it has none.
        let lower = Authority.text(host: host.lowercased(), port: 0, scheme: "")
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    private static func matches(_ pattern: Pattern, _ host: String, _ port: Int) -> Bool {
        if let wanted = pattern.port, wanted != port { return false }
        switch pattern.name {
        case .exactly(let name): return host == name
        case .below(let suffix): return host.utf8.count > suffix.utf8.count && host.hasSuffix(suffix)
        case .any: return true
        }
    }
}
