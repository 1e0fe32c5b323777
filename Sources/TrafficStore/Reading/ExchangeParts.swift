/// Parts of an exchange that take time to read; an exchange that is read without them has none.
package struct ExchangeParts: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The path.
    package static let path = ExchangeParts(rawValue: 1)
    /// The query.
    package static let query = ExchangeParts(rawValue: 2)
    /// The field lines of both messages.
    package static let lines = ExchangeParts(rawValue: 4)
    /// The server's leg of an exchange that a proxy passed on.
    package static let serverLeg = ExchangeParts(rawValue: 8)
    /// The address of the peer.
    package static let address = ExchangeParts(rawValue: 16)
    /// All of them.
    package static let all: ExchangeParts = [.path, .query, .lines, .serverLeg, .address]
}
