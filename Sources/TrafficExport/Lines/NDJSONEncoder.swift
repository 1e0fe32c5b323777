package import TrafficModel
import TrafficReports

/// Writes one JSON object for each exchange, the line of `exchanges --format ndjson`.
package struct NDJSONEncoder: ExchangeEncoder {
    /// Creates an encoder.
    package init() {}

    /// The line of one exchange.
    package mutating func encode(_ exchange: StoredExchange) -> String { ExchangeLine(exchange).ndjson + "\n" }
}
