package import TrafficModel

/// Turns exchanges into text, one after the other; keeps nothing of those that are done.
package protocol ExchangeEncoder {
    /// What stands before the first exchange.
    mutating func begin() throws -> String

    /// The text of one exchange; empty where it comes later, or has none in this format.
    mutating func encode(_ exchange: Exchange) throws -> String

    /// What stands behind the last exchange.
    mutating func end() throws -> String
}

extension ExchangeEncoder {
    package mutating func begin() -> String { "" }
    package mutating func end() -> String { "" }
}
