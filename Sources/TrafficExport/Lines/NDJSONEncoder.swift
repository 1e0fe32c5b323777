package import TrafficModel
import TrafficReports

/// One JSON object an exchange, the line of `exchanges --format ndjson`.
package struct NDJSONEncoder: ExchangeEncoder {
    /// An encoder.
    package init() {}

    /// The exchange's line.
    package mutating func encode(_ exchange: Exchange) -> String { ExchangeLine(exchange).ndjson + "\n" }
}
