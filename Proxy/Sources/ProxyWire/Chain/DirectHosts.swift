/// The hosts that are reached without an upstream proxy: what `no_proxy` lists.
///
/// A name is a host or a domain with all that is in it, and a dot before it changes nothing; an address may have a
/// number of bits; a port may follow; `*` alone is every host. So curl documents it, but for the port.
package struct DirectHosts: Equatable, Sendable {
    private enum Rule: Equatable, Sendable {
        case all
        case name(Substring, port: UInt16?)
        case addresses(AddressRange, port: UInt16?)
    }

    private let rules: [Rule]

    /// Elements that are no rule are left out.
    package init(_ text: String) {
        rules = text.split { $0 == "," || $0 == " " || $0 == "\t" }.compactMap(Self.rule)
    }

    private static func rule(_ text: Substring) -> Rule? {
        if text == "*" { return .all }
        if let range = AddressRange(String(text)) { return .addresses(range, port: nil) }
        var name = text
        var port: UInt16?
        if text.last == "]" {
            name = text.dropLast()
        } else if let colon = text.lastIndex(of: ":") {
            guard let number = UInt16(text[text.index(after: colon)...]) else { return nil }
            port = number
            name = text[..<colon]
            if name.last == "]" { name = name.dropLast() }
        }
        if name.first == "[" { name = name.dropFirst() }
        if let range = AddressRange(String(name)) { return .addresses(range, port: port) }
        let bare = bare(name.lowercased()[...].drop { $0 == "." })
        return bare.isEmpty ? nil : .name(bare, port: port)
    }

    /// A name may end with the root's dot.
    private static func bare(_ name: Substring) -> Substring { name.last == "." ? name.dropLast() : name }

    package func contains(_ authority: Authority) -> Bool {
        let address = IPAddress(authority.host)
        let host = Self.bare(authority.host[...])
        return rules.contains { rule in
            switch rule {
            case .all: return true
            case .addresses(let range, let port):
                return address.map(range.contains) ?? false && port ?? authority.port == authority.port
            case .name(let name, let port):
                // An address is in no domain.
                guard address == nil, port ?? authority.port == authority.port, host.hasSuffix(name) else {
                    return false
                }
                return host.utf8.count == name.utf8.count || host.dropLast(name.count).last == "."
            }
        }
    }
}
