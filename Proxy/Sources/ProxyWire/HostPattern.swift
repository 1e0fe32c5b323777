/// Hosts that are meant: a name or an address, or `*.` and a domain for all names below it.
package struct HostPattern: Hashable, Sendable {
    private let name: String
    private let isDomain: Bool

    /// Nil if it is neither.
    package init?(_ text: some StringProtocol) {
        isDomain = text.hasPrefix("*.")
        let rest = isDomain ? text.dropFirst(2) : text[...]
        guard !rest.contains("*"), !rest.isEmpty else { return nil }
        if let address = IPAddress(String(rest)), !isDomain {
            name = "\(address)"
        } else {
            guard let authority = Authority(rest, defaultPort: 443), authority.host.count == rest.count else {
                return nil
            }
            name = authority.host
        }
    }

    package func matches(_ host: String) -> Bool {
        let host = host.lowercased()
        if isDomain { return host.hasSuffix("." + name) }
        return host == name || IPAddress(host).map { "\($0)" } == name
    }
}
