internal import TrafficModel
internal import TrafficReports

/// One exchange as a row of the list.
struct ExchangeSummary: Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) { self.exchange = exchange }

    /// The row.
    var json: JSONValue {
        let request = exchange.request
        let response = exchange.response
        let end = exchange.end
        return .object([
            .init("id", .integer(request.exchange.rawValue)),
            .init("task", .integer(request.task.rawValue)),
            .init("hop", .integer(Int64(request.hop))),
            .init("start", .moment(request.startedAt)),
            .init("duration", .milliseconds(end?.timings.total)),
            .init("wait", .milliseconds(end?.timings.wait)),
            .init("receive", .milliseconds(end?.timings.receive)),
            .init("state", .string(end?.outcome.name ?? "running")),
            .init("method", .string(request.method)),
            .init("scheme", .string(request.scheme)),
            .init("host", .string(request.host)),
            .init("port", .integer(Int64(request.port))),
            .init("path", .string(request.path)),
            .init("query", request.query.map { .string($0) } ?? .null),
            .init("template", .string(request.template)),
            .init("status", response.map { .integer(Int64($0.status)) } ?? .null),
            .init("type", .text(response?.contentType)),
            .init("up", Self.bytes(request.size)),
            .init("down", response.map { Self.bytes($0.size) } ?? .null),
            .init("evidence", .string(evidence.name)),
            .init("error", .text(end?.outcome.failure?.message)),
            .init("process", .string(request.process.name)),
            .init("pid", .integer(Int64(request.process.pid))),
            .init("connection", end?.connection.map { .integer($0.rawValue) } ?? .null),
        ])
    }

    private var evidence: Evidence {
        min(exchange.request.size.evidence, exchange.response?.size.evidence ?? .captured)
    }

    /// What is known, unless that is nothing.
    private static func bytes(_ size: WireSize) -> JSONValue {
        size == .unknown ? .null : .integer(size.known.bytes)
    }
}

extension JSONValue {
    /// Milliseconds since 1970.
    static func moment(_ timestamp: Timestamp?) -> JSONValue { .milliseconds(timestamp?.nanoseconds) }
}
