/// One end of a connection, taken apart.
package struct EndPoint: Hashable, Sendable {
    /// The address without brackets; empty where it is not known.
    package let address: String
    /// The port; nil where it is not known.
    package let port: Int?

    /// The end that is written as `address:port`, `[address]:port` or `:port`.
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
