import TextFormats
package import TrafficModel
import TrafficReports

/// Writes one record for each exchange, with the names of the NDJSON line and nested objects flattened; unknown values
/// are empty.
package struct CSVEncoder: ExchangeEncoder {
    /// Creates an encoder.
    package init() {}

    private static let parts = ["StartLine", "Fields", "Cookies", "Interim", "Body", "Framing"]
    private static let phases = ["queue", "dns", "connect", "tls", "send", "wait", "receive", "total"]

    private static let names =
        [
            "exchange", "task", "resendCount", "pid", "process", "startedAt", "endedAt", "method", "url", "scheme",
            "host",
            "port", "path", "query", "template", "httpVersion",
        ]
        + columns(of: "request") + ["status", "reason", "contentType", "contentEncoding"] + columns(of: "response")
        + ["responseDecodedBody", "outcome", "error", "errorCode"] + phases.map { "\($0)Ms" }
        + ["connection", "reused", "remoteAddress", "overheadUp", "overheadDown", "sentAt", "unattributedMs"]
        + ["errorDomain", "failed", "network", "direction"]

    private static func columns(of message: String) -> [String] {
        parts.map { message + $0 } + [message + "Total", message + "Evidence"]
    }

    /// The line of column names.
    package mutating func begin() -> String { CSVLine.text(of: Self.names) }

    /// The record of one exchange.
    package mutating func encode(_ exchange: StoredExchange) -> String {
        let request = exchange.request
        let response = exchange.response
        let end = exchange.end
        let failure = end?.outcome.failure
        var cells = [
            String(exchange.id.rawValue), String(exchange.task.rawValue), String(request.resendCount),
            String(request.process.pid), request.process.name, request.startedAt.iso8601,
            end?.endedAt.iso8601 ?? "", request.method, request.url, request.scheme, request.host,
            String(request.port), request.path, request.query ?? "", request.template, request.httpVersion,
        ]
        cells += Self.cells(of: request.size)
        cells += [
            response.flatMap { $0.status > 0 ? String($0.status) : nil } ?? "", response?.reason ?? "",
            response?.contentType ?? "",
            response?.contentEncoding ?? "",
        ]
        cells += Self.cells(of: response?.size)
        cells += [
            Self.number(response?.decodedBody.known), end?.outcome.name ?? "", failure?.message ?? "",
            failure.map { String($0.code) } ?? "",
        ]
        let timings = (end?.timings ?? ExchangeTimings()).inMicroseconds
        cells += (timings.named.dropLast().map(\.duration) + [timings.total]).map(Self.milliseconds)
        let reused = exchange.connection == nil ? nil : end?.reusedConnection
        cells += [
            Self.number(exchange.connection?.rawValue), reused.map { $0 ? "true" : "false" } ?? "",
            end?.remoteAddress ?? "", Self.number(end?.share?.overhead.up.bytes),
            Self.number(end?.share?.overhead.down.bytes), request.sentAt?.iso8601 ?? "",
            Self.milliseconds(timings.unattributed), failure?.domain.rawValue ?? "",
            exchange.hasFailed ? "true" : "false", end?.network?.name ?? "",
            request.direction.rawValue,
        ]
        return CSVLine.text(of: cells)
    }

    private static func cells(of size: WireSize?) -> [String] {
        guard let size else { return [String](repeating: "", count: parts.count + 2) }
        return size.namedParts.map { number($0.part.known) } + [number(size.total?.bytes), size.evidence.name]
    }

    private static func milliseconds(_ duration: Int64?) -> String {
        duration.map { JSONValue.milliseconds($0).compact } ?? ""
    }

    private static func number(_ number: Int64?) -> String { number.map { String($0) } ?? "" }
}
