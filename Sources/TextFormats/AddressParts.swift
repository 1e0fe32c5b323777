/// The address and the port of a text such as `127.0.0.1:80`.
package struct AddressParts: Hashable, Sendable {
    /// The address without brackets; empty if it is not known.
    package let address: String
    /// The port; nil if it is not known.
    package let port: Int?

    /// Splits `address:port`, `[address]:port` or `:port`.
    package init(_ text: String) {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else {
            address = text
            port = nil
            return
        }
        let host = text[..<colon].drop { $0 == "[" }
        address = String(host.last == "]" ? host.dropLast() : host)
        port = Int(text[text.index(after: colon)...])
    }
}
