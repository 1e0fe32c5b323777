internal import ClickHouse
internal import Foundation
internal import TrafficModel
package import TrafficStore

/// A collector of OpenTelemetry, over OTLP/HTTP with Protocol Buffers: `otlp+https://HOST:PORT/`.
package final class OTLPDestination: ShippingDestination {
    package let url: String
    package let authority: String
    private let base: String
    private let fields: [(name: String, value: String)]
    private let transport = systemTransport(seconds: 60, limit: 1 << 20)

    /// Whether a text is meant as such an address.
    package static func isMeant(by text: String) -> Bool {
        text.hasPrefix("otlp+http://") || text.hasPrefix("otlp+https://")
    }

    /// The header fields in `OTEL_EXPORTER_OTLP_HEADERS`, such as a token: `name=value`, with commas between them.
    package static func fields(environment: [String: String]) -> [(name: String, value: String)] {
        (environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? "").split(separator: ",").compactMap { pair in
            let halves = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2 else { return nil }
            return (halves[0], halves[1].removingPercentEncoding ?? halves[1])
        }
    }

    /// The collector at an address.
    ///
    /// - Parameters:
    ///   - text: the address.
    ///   - fields: header fields of each request.
    /// - Throws: ``CollectorError``.
    package init(_ text: String, fields: [(name: String, value: String)]) throws {
        let address = String(text.dropFirst("otlp+".count))
        guard Self.isMeant(by: text), let parts = URL(string: address), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.query == nil, parts.fragment == nil
        else {
            throw CollectorError(
                "the address is not that of a collector; write 'otlp+https://HOST:PORT/', and header fields such as a token "
                    + "into OTEL_EXPORTER_OTLP_HEADERS")
        }
        guard !fields.contains(where: { Self.hasControls($0.name + $0.value) }) else {
            throw CollectorError("header fields for a collector have no control characters")
        }
        url = text
        let scheme = parts.scheme ?? "https"
        authority = Authority.text(
            host: host.contains(":") ? "[\(host)]" : host.lowercased(),
            port: parts.port ?? (scheme == "http" ? 80 : 443),
            scheme: scheme)
        base = address.hasSuffix("/") ? address : address + "/"
        self.fields = fields
    }

    deinit { transport.close() }

    package var format: ShippingFormat { .telemetry }

    package func cancel() { transport.close() }

    package func send(_ batch: ShippingBatch) -> (outcome: ShippingSchedule.Outcome, message: String) {
        switch batch.target {
        case ShippingFormat.spans: post("v1/traces", batch.body)
        case ShippingFormat.metrics: post("v1/metrics", batch.body)
        default: (.refused, "a collector takes no '\(batch.target)'")
        }
    }

    private func post(_ path: String, _ content: [UInt8]) -> (outcome: ShippingSchedule.Outcome, message: String) {
        let own = [
            ("Content-Type", "application/x-protobuf"), ("Content-Encoding", "gzip"), ("User-Agent", "wireweight"),
        ]
        do {
            let response = try transport.send(HTTPRequest(url: base + path, fields: own + fields, content: content))
            return (Self.outcome(of: response), "the collector at '\(base)\(path)' responded \(response.status)")
        } catch {
            return (.later(after: nil), "the collector at '\(base)' cannot be reached: \(error)")
        }
    }

    // As OTLP/HTTP has it: only these four may be sent again.
    private static func outcome(of response: HTTPResponse) -> ShippingSchedule.Outcome {
        switch response.status {
        case 200..<300: .accepted
        case 413: .tooLarge
        case 401, 403, 404, 405: .blocked
        case 429, 502, 503, 504: .later(after: response.retryAfter)
        default: .refused
        }
    }

    private static func hasControls(_ text: String) -> Bool { text.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
}
