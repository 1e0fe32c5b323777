internal import TrafficModel
internal import TrafficReports

/// What each API weighs.
struct APITable: Sendable {
    let range: TimeRange
    let host: String?

    func json(_ reading: any TrafficReading) throws -> JSONValue {
        let totals = try reading.totals(by: .api, in: range).filter { host == nil || $0.key.host == host }
            .sorted { ($0.up.total + $0.down.total, $1.requests) > ($1.up.total + $1.down.total, $0.requests) }
        var sum = TrafficTotal(key: TrafficTotal.Key())
        for total in totals { sum.merge(total) }
        return .object([
            .init(
                "apis",
                .array(
                    totals.map { total in
                        .object(
                            [
                                .init("method", .text(total.key.method)), .init("host", .text(total.key.host)),
                                .init("template", .text(total.key.template)),
                            ] + Self.members(total))
                    })), .init("totals", .object(Self.members(sum))),
        ])
    }

    private static func members(_ total: TrafficTotal) -> [JSONValue.Member] {
        [
            .init("requests", .integer(total.requests)), .init("responses", .integer(total.responses)),
            .init("unanswered", .integer(total.unanswered)), .init("failures", .integer(total.failures)),
            .init("up", .integer(total.up.total.bytes)), .init("down", .integer(total.down.total.bytes)),
            .init("parts", .object([.init("up", parts(total.up)), .init("down", parts(total.down))])),
            .init("captured", .share(total.capturedShare)),
            .init("p50", .milliseconds(total.latency.percentile(0.5))),
            .init("p95", .milliseconds(total.latency.percentile(0.95))),
            .init("firstSeen", .moment(total.firstSeen)), .init("lastSeen", .moment(total.lastSeen)),
        ]
    }

    private static func parts(_ parts: PartTotals) -> JSONValue {
        .object([
            .init("startLine", .integer(parts.startLine.bytes)), .init("fields", .integer(parts.fields.bytes)),
            .init("cookies", .integer(parts.cookies.bytes)), .init("interim", .integer(parts.interim.bytes)),
            .init("body", .integer(parts.body.bytes)), .init("framing", .integer(parts.framing.bytes)),
        ])
    }
}
