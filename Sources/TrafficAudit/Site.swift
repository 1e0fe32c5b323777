import TrafficModel

/// Finds the site of a host: the name that is registered under a public suffix.
///
/// The list of public suffixes is libpsl's. Without it, a site has two labels, or three under a short second level such
/// as `co.uk`. An address is a site of its own.
enum Site {
    /// Second levels under which countries register names, for systems without libpsl.
    private static let secondLevels: Set<Substring> = [
        "ac", "co", "com", "edu", "go", "gob", "gov", "gv", "ne", "net", "nom", "or", "org",
    ]

    /// The site of a host, whatever its port.
    static func of(_ authority: String, suffixes: PublicSuffixes? = .system) -> String {
        let host = name(of: authority)
        if host.contains(":") { return host }
        let labels = host.split(separator: ".")
        guard labels.count > 2, let last = labels.last, !last.allSatisfy(\.isNumber) else { return host }
        if let suffixes { return suffixes.registrableDomain(of: labels.joined(separator: ".")) ?? host }
        let isCountry = last.utf8.count == 2 && secondLevels.contains(labels[labels.count - 2])
        return labels.suffix(isCountry ? 3 : 2).joined(separator: ".")
    }

    /// The host without its port: the name that is looked up.
    static func name(of host: String) -> String { Authority.split(host).host }

    /// The host of an absolute URL, or of one that starts with `//`, in lower case; nil for a path.
    static func host(ofURL url: String) -> String? {
        var rest = url[...]
        if let colon = rest.firstRange(of: "://") {
            rest = rest[colon.upperBound...]
        } else if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
        } else {
            return nil
        }
        var authority = rest.prefix { !"/?#".contains($0) }
        if let at = authority.lastIndex(of: "@") { authority = authority[authority.index(after: at)...] }
        return Authority.split(String(authority)).host
    }
}
