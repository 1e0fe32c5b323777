import ClickHouse
import ContentCoding
import FleetTables
import Foundation
import TrafficExport
import TrafficModel
import TrafficShipping
import TrafficStore

/// A collector of OpenTelemetry, over OTLP/HTTP with Protocol Buffers: `otlp+https://HOST:PORT/`.
///
/// Exchanges are spans. Whenever sums have changed, the sums of each API since its first request are sent as cumulative
/// metrics. Connections, losses and audits have no place in OpenTelemetry.
struct OTLPDestination: ShippingDestination {
    let url: String
    private let base: String
    private let fields: [(name: String, value: String)]
    private let reader: StoreReader
    private let transport = systemTransport(seconds: 60, limit: 1 << 20)

    static func isMeant(by text: String) -> Bool { text.hasPrefix("otlp+http://") || text.hasPrefix("otlp+https://") }

    /// The collector at an address.
    ///
    /// - Parameters:
    ///   - text: the address.
    ///   - environment: has header fields in `OTEL_EXPORTER_OTLP_HEADERS`, such as a token.
    ///   - reader: the store that is shipped.
    /// - Throws: ``ReadingFailure`` if the address cannot be read.
    init(_ text: String, environment: [String: String], reader: StoreReader) throws {
        let address = String(text.dropFirst("otlp+".count))
        guard let parts = URL(string: address), parts.host?.isEmpty == false, parts.user == nil,
            parts.query == nil, parts.fragment == nil
        else {
            throw ReadingFailure(
                "the address of '--to' is no collector; write 'otlp+https://HOST:PORT/', and header fields such as a token "
                    + "into OTEL_EXPORTER_OTLP_HEADERS")
        }
        url = text
        base = address.hasSuffix("/") ? address : address + "/"
        fields = (environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? "").split(separator: ",").compactMap { pair in
            let halves = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard halves.count == 2 else { return nil }
            return (halves[0], halves[1].removingPercentEncoding ?? halves[1])
        }
        self.reader = reader
    }

    func send(_ batch: ShippingBatch) -> (outcome: ShippingSchedule.Outcome, message: String) {
        do {
            switch batch.target {
            case FleetExchange.table.name:
                guard let rows = batch.exchanges else { return (.refused, "the batch cannot be read") }
                guard let instance = rows.first?.origin.installation else { return (.accepted, "") }
                return post(
                    "v1/traces",
                    OTLPRequests.traces(of: rows.map { ($0.exchange, $0.origin.resource) }, instance: instance))
            case FleetSums.table.name:
                let resource = try reader.resources().last?.resource ?? TrafficResource()
                let requests = OTLPRequests.metrics(
                    of: try reader.totals(by: .api, in: .always), resource: resource,
                    instance: try reader.installation())
                for request in requests {
                    let sent = post("v1/metrics", request)
                    // Halves of the batch would make the same request.
                    if sent.outcome == .tooLarge { return (.refused, sent.message) }
                    guard sent.outcome == .accepted else { return sent }
                }
                return (.accepted, "")
            default: return (.accepted, "")
            }
        } catch {
            return (.later(after: nil), "\(error)")
        }
    }

    private func post(_ path: String, _ content: [UInt8]) -> (outcome: ShippingSchedule.Outcome, message: String) {
        let compressed = GzipEncoder.encoded(content, level: 1)
        var request = HTTPRequest(
            url: base + path,
            fields: [("Content-Type", "application/x-protobuf"), ("User-Agent", "wireweight")] + fields,
            content: compressed ?? content)
        if compressed != nil { request.fields.append(("Content-Encoding", "gzip")) }
        do {
            let response = try transport.send(request)
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
}
