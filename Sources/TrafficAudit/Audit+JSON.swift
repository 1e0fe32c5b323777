package import TextFormats
import TrafficModel

extension Audit {
    /// One JSON object: what was examined, and the findings in their order.
    ///
    /// Members are added, never renamed.
    package var json: String { jsonValue.pretty + "\n" }

    /// The same as a value, to embed in another.
    package var jsonValue: JSONValue {
        .object(
            [
                .init("since", .text(range.since?.iso8601)),
                .init("until", .text(range.until?.iso8601)),
                .init("host", .text(host)),
                .init("filter", .text(selection?.filter.text)),
                .init("keptSince", .text(selection?.keptSince?.iso8601)),
            ] + examined[0].members + [
                .init("findings", .array(findings.map(\.jsonValue))),
                .init("more", .integer(Int64(found - findings.count))),
                .init("served", examined.count > 1 ? .object(examined[1].members) : .null),
            ])
    }
}

extension Audit.Examined {
    fileprivate var members: [JSONValue.Member] {
        [
            .init("direction", .string(direction.rawValue)), .init("requests", .integer(requests)),
            .init(
                "examined",
                .object([
                    .init("exchanges", .integer(Int64(exchanges))), .init("first", .text(since?.iso8601)),
                    .init("last", .text(until?.iso8601)),
                ])),
        ]
    }
}

extension AuditFinding {
    /// The finding as a JSON object.
    package var jsonValue: JSONValue {
        .object([
            .init("rule", .string(rule)),
            .init("alarm", .bool(isAlarm)),
            .init("method", .text(key.method)),
            .init("host", .text(key.host)),
            .init("template", .text(key.template)),
            .init("direction", .string(key.direction.rawValue)),
            .init("problem", .string(problem)),
            .init("remedy", .string(remedy)),
            .init(
                "saving",
                .object([
                    .init("bytes", .integer(bytes)),
                    .init("milliseconds", .milliseconds(nanoseconds)),
                    .init("bytesPer1000Calls", .integer(bytesPer1000Calls)),
                    .init("millisecondsPer1000Calls", .milliseconds(nanosecondsPer1000Calls)),
                ])),
            .init("basis", .string(basis.rawValue)),
            .init("source", .string(source)),
            .init("scaled", .bool(isScaled)),
            .init("calls", .integer(calls)),
            .init("examinedCalls", .integer(Int64(examinedCalls))),
            .init("affectedCalls", .integer(Int64(affectedCalls))),
            .init(
                "said",
                .object([
                    .init("problem", problemSaid.jsonValue), .init("remedy", remedySaid.jsonValue),
                    .init("source", sourceSaid.jsonValue),
                ])),
            .init("evidence", .array(evidence.map { .integer($0.rawValue) })),
        ])
    }
}
