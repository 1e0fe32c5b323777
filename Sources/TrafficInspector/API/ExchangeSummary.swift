internal import TextFormats
internal import TrafficModel

/// One exchange as a row of the list.
struct ExchangeSummary: Sendable {
    let exchange: StoredExchange

    init(_ exchange: StoredExchange) { self.exchange = exchange }

    /// The row as a JSON object.
    var json: JSONValue {
        let request = exchange.request
        let response = exchange.response
        let end = exchange.end
        return .object([
            .init("id", .integer(exchange.id.rawValue)),
            .init("task", .integer(exchange.task.rawValue)),
            .init("resendCount", .integer(Int64(request.resendCount))),
            .init("start", .moment(request.startedAt)),
            .init("sent", .moment(request.sentAt)),
            .init("duration", .milliseconds(exchange.duration)),
            .init("phases", phases),
            .init("wait", .milliseconds(end?.timings.wait)),
            .init("receive", .milliseconds(end?.timings.receive)),
            .init("state", .string(end?.outcome.name ?? "running")),
            .init("method", .string(request.method)),
            .init("scheme", .string(request.scheme)),
            .init("host", .string(request.host)),
            .init("port", .integer(Int64(request.port))),
            .init("authority", .string(request.authority)),
            .init("url", .string(request.url)),
            .init("path", .string(request.path)),
            .init("query", request.query.map { .string($0) } ?? .null),
            .init("template", .string(request.template)),
            .init("status", response.flatMap { $0.status > 0 ? .integer(Int64($0.status)) : nil } ?? .null),
            .init("type", .text(response?.contentType)),
            .init("up", Self.bytes(request.size)),
            .init("down", response.map { Self.bytes($0.size) } ?? .null),
            .init("evidence", .string(evidence.name)),
            .init("failed", .bool(exchange.hasFailed)),
            .init("error", .text(end?.outcome.failure?.message)),
            .init("process", .string(request.process.name)),
            .init("pid", .integer(Int64(request.process.pid))),
            .init("connection", exchange.connection.map { .integer($0.rawValue) } ?? .null),
            .init("direction", .string(request.direction.rawValue)),
        ])
    }

    /// Name, offset and duration, in milliseconds, of the phases that took time; every view draws them.
    private var phases: JSONValue {
        let phases: [ExchangePhase] = exchange.end?.timings.phases ?? []
        var drawn: [JSONValue] = []
        for phase in phases where phase.duration > 0 {
            drawn.append(.array([.string(phase.name), .milliseconds(phase.offset), .milliseconds(phase.duration)]))
        }
        return .array(drawn)
    }

    private var evidence: Evidence {
        min(exchange.request.size.evidence, exchange.response?.size.evidence ?? .captured)
    }

    /// The sum of the known parts, in bytes; null if none is known.
    private static func bytes(_ size: WireSize) -> JSONValue {
        size == .unknown ? .null : .integer(size.known.bytes)
    }
}

extension JSONValue {
    /// Milliseconds since 1970.
    static func moment(_ timestamp: Timestamp?) -> JSONValue { .milliseconds(timestamp?.nanoseconds) }
}
