package import TrafficModel

/// Turns exchanges into text, one after the other; keeps nothing of an exchange once its text is written.
package protocol ExchangeEncoder {
    /// The text before the first exchange.
    mutating func begin() throws -> String

    /// The text of one exchange; empty if the encoder writes it later, or if the format has no text for it.
    mutating func encode(_ exchange: StoredExchange) throws -> String

    /// The text after the last exchange.
    mutating func end() throws -> String
}

extension ExchangeEncoder {
    package mutating func begin() -> String { "" }
    package mutating func end() -> String { "" }
}
