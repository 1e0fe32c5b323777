/// Which hosts are metered.
///
/// A pattern is a host (`api.example.com`), a host with all below it (`*.example.com`, which does not match
/// `example.com` itself), or `*`. Patterns compare without regard to case; a final dot does not count.
package struct HostFilter: Hashable, Sendable {
    /// A pattern taken apart.
    private enum Pattern: Hashable {
        case exactly(String)
        case below(String)
        case any
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

    /// Whether exchanges with that host are metered.
    package func allows(_ host: String) -> Bool {
        if included.isEmpty && excluded.isEmpty { return true }
        let host = Self.normal(host)
        if excluded.contains(where: { Self.matches($0, host) }) { return false }
        return included.isEmpty || included.contains { Self.matches($0, host) }
    }

    private static func pattern(_ text: String) -> Pattern {
        let text = normal(text)
        if text == "*" { return .any }
        return text.hasPrefix("*.") ? .below(String(text.dropFirst())) : .exactly(text)
    }

    private static func normal(_ host: String) -> String {
        let lower = host.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    private static func matches(_ pattern: Pattern, _ host: String) -> Bool {
        switch pattern {
        case .exactly(let name): host == name
        case .below(let suffix): host.utf8.count > suffix.utf8.count && host.hasSuffix(suffix)
        case .any: true
        }
    }
}
