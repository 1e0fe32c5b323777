import TrafficModel

/// The site that a host belongs to: what is registered under a public suffix.
///
/// Without the list of all public suffixes: two labels, three under a short second level such as `co.uk`. Addresses are
/// sites of their own.
enum Site {
    /// Second levels below which countries register.
    private static let secondLevels: Set<Substring> = [
        "ac", "co", "com", "edu", "go", "gob", "gov", "gv", "ne", "net", "nom", "or", "org",
    ]

    /// The site of a host; its port is not looked at.
    static func of(_ authority: String) -> String {
        let host = name(of: authority)
        if host.contains(":") { return host }
        let labels = host.split(separator: ".")
        guard labels.count > 2, let last = labels.last, !last.allSatisfy(\.isNumber) else { return host }
        let isCountry = last.utf8.count == 2 && secondLevels.contains(labels[labels.count - 2])
        return labels.suffix(isCountry ? 3 : 2).joined(separator: ".")
    }

    /// The name of a host that may have a port: what is looked up.
    static func name(of host: String) -> String { Authority.split(host).host }

    /// The host of an absolute URL or one that begins with `//`, in lower case; nil for a path.
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
