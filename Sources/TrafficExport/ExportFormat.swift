/// The formats in which traffic can leave the house.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// HTTP Archive 1.2.
    case har
    /// One record an exchange (RFC 4180).
    case csv
    /// One object an exchange, as `exchanges` prints them.
    case ndjson
    /// A command of curl for each exchange.
    case curl
    /// The sums of each API as OpenMetrics text, which is also Prometheus' own text format.
    case openmetrics
    /// Metrics and spans of OpenTelemetry, one message a line.
    case otlpJSON = "otlp-json"
}
