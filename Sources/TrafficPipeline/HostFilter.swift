internal import TrafficModel

/// Which hosts are metered.
///
/// A pattern is a host (`api.example.com`), a host with all below it (`*.example.com`, which does not match
/// `example.com` itself), or `*`; each may name a port (`127.0.0.1:8080`), and without one stands for all. Patterns compare
/// without regard to case; a final dot does not count.
package struct HostFilter: Hashable, Sendable {
    /// A pattern taken apart.
    private struct Pattern: Hashable {
        enum Name: Hashable {
            case exactly(String)
            case below(String)
            case any
        }

        var name: Name
        /// Nil for any port.
        var port: Int?
    }

    private let included: [Pattern]
    private let excluded: [Pattern]

    /// A filter of those patterns.
    ///
    /// - Parameters:
    ///   - include: hosts to meter; empty for all.
    ///   - exclude: hosts to leave out; these win.
    package init(include: [String] = [], exclude: [String] = []) {
        included = include.map(Self.pattern)
        excluded = exclude.map(Self.pattern)
    }

    /// Lets every host through.
    package static let everything = HostFilter()

    /// Whether exchanges with that host and port are metered.
    package func allows(_ host: String, port: Int) -> Bool {
        if included.isEmpty && excluded.isEmpty { return true }
        let host = Self.normal(host)
        if excluded.contains(where: { Self.matches($0, host, port) }) { return false }
        return included.isEmpty || included.contains { Self.matches($0, host, port) }
    }

    private static func pattern(_ text: String) -> Pattern {
        let (name, port) = Authority.split(text)
        let host = normal(name)
        if host == "*" { return Pattern(name: .any, port: port) }
        return Pattern(name: host.hasPrefix("*.") ? .below(String(host.dropFirst())) : .exactly(host), port: port)
    }

    private static func normal(_ host: String) -> String {
        // An address of IPv6 has brackets, also where it came without.
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
