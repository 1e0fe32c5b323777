import TextFormats
import TrafficModel

extension CaptureVerification {
    /// The comparison for programs, as one JSON object; members are added, never renamed.
    package var json: String {
        let (captured, metered) = sums
        let value = JSONValue.object([
            .init("agrees", .bool(isPassed)),
            .init("connections", .array(rows.map(\.value))),
            .init("unmetered", .array(unmetered.map(\.value))),
            .init("others", .integer(Int64(others))),
            .init(
                "totals",
                .object([
                    .init("captured", captured.value), .init("metered", metered.value),
                    .init("difference", (captured - metered).value),
                ])),
            .init(
                "capture",
                .object([
                    .init("segments", .integer(Int64(tally.segments))),
                    .init("unreadable", .integer(Int64(tally.unreadable))),
                    .init("connections", .integer(Int64(tally.connections.count))),
                    .init("begin", .text(tally.begin?.iso8601)), .init("end", .text(tally.end?.iso8601)),
                    .init("interfaces", .array(facts.interfaces.map { .string($0) })),
                    .init("dropped", facts.dropped.map { .integer($0) } ?? .null),
                ])),
            .init("mismatch", .text(mismatch)),
        ])
        return value.pretty + "\n"
    }

    /// A line for each connection: first the metered ones, then the unmetered ones to the same servers.
    package var ndjson: String { (rows + unmetered).map { $0.value.compact + "\n" }.joined() }
}

extension CaptureVerification.Payload {
    fileprivate var value: JSONValue { .object([.init("up", .integer(up)), .init("down", .integer(down))]) }
}

extension CaptureVerification.Row {
    fileprivate var value: JSONValue {
        .object([
            .init("verdict", .string(verdict.rawValue)),
            .init("connection", record.map { .integer($0.id.rawValue) } ?? .null),
            .init("pid", record.map { .integer(Int64($0.process.pid)) } ?? .null),
            .init("process", .text(record?.process.name)),
            .init("localAddress", .text(local.address)), .init("localPort", .integer(Int64(local.port))),
            .init("remoteAddress", .text(remote.address)), .init("remotePort", .integer(Int64(remote.port))),
            .init("openedAt", .text(record?.openedAt.iso8601)), .init("closedAt", .text(record?.closedAt?.iso8601)),
            .init("captured", captured?.value ?? .null), .init("metered", metered?.value ?? .null),
            .init("difference", difference?.value ?? .null),
            .init("refused", .integer(refused)), .init("missing", missing.value),
            .init("note", .text(note)),
        ])
    }
}
