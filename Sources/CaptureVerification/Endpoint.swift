internal import TextFormats

/// One end of a TCP connection, with its address in normal form.
package struct Endpoint: Hashable, Sendable {
    /// The address as text; nil if only the port is known.
    package let address: String?
    /// The TCP port.
    package let port: UInt16

    /// Creates an end; the address may be an IPv4 address within IPv6, or have a zone.
    package init(address: some StringProtocol, port: UInt16) {
        self.port = port
        var text = address.prefix { $0 != "%" }.lowercased()
        if text.hasPrefix("::ffff:"), text.contains(".") { text.removeFirst(7) }
        self.address = text.isEmpty || text == "0.0.0.0" || text == "::" ? nil : text
    }

    /// Reads `address:port`, `[address]:port` or `:port`; nil if there is no port.
    package init?(_ text: String) {
        let parts = AddressParts(text)
        guard let port = parts.port.flatMap(UInt16.init(exactly:)), port != 0 else { return nil }
        self.init(address: parts.address, port: port)
    }

    /// The address and port: `127.0.0.1:80`, `[::1]:80`, `:80`.
    package var text: String {
        guard let address else { return ":\(port)" }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
