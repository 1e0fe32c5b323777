/// The formats in which traffic can be exported.
package enum ExportFormat: String, CaseIterable, Sendable {
    /// HTTP Archive 1.2.
    case har
    /// CSV: one record for each exchange (RFC 4180).
    case csv
    /// One JSON object for each exchange, as `exchanges` prints them.
    case ndjson
    /// A curl command for each exchange.
    case curl
    /// The sums of each API as OpenMetrics text, which Prometheus reads as its own text format, too.
    case openmetrics
    /// OpenTelemetry metrics and spans, one message a line.
    case otlpJSON = "otlp-json"
    /// The same messages in Protocol Buffers, each after its length: four bytes, the highest first.
    case otlpProtobuf = "otlp-protobuf"
}
