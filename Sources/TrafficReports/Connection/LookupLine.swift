internal import TextFormats
package import TrafficModel

/// One lookup of a name as a JSON object: the line of `lookups --format ndjson`.
///
/// Members are added, never renamed. What the C library does not show is null.
package struct LookupLine: Sendable {
    private let lookup: LookupRecord

    /// Creates the line of that lookup.
    package init(_ lookup: LookupRecord) { self.lookup = lookup }

    /// The object on one line, without a line end.
    package var ndjson: String { JSONValue.object(members).compact }

    private var members: [JSONValue.Member] {
        func number(_ number: Int64?) -> JSONValue { number.map { .integer($0) } ?? .null }
        return [
            .init("name", .string(lookup.name)), .init("source", .string(lookup.source.rawValue)),
            .init("recordType", .text(lookup.recordType)), .init("resolver", .text(lookup.resolver)),
            .init("pid", .integer(Int64(lookup.process.pid))), .init("process", .string(lookup.process.name)),
            .init("startedAt", .string(lookup.startedAt.iso8601)),
            .init("duration", .milliseconds(lookup.duration)),
            .init("error", .text(lookup.error)), .init("answers", .integer(lookup.answers)),
            .init("addresses", .array(lookup.addresses.map { .string($0) })),
            .init("queries", number(lookup.queries)), .init("up", number(lookup.bytesUp?.bytes)),
            .init("down", number(lookup.bytesDown?.bytes)),
        ]
    }

    /// The column names as a line of CSV.
    package static let csvHeader = CSVLine.text(of: [
        "name", "source", "recordType", "resolver", "pid", "process", "startedAt", "durationMs", "error", "answers",
        "addresses", "queries", "up", "down",
    ])

    /// The lookup as a line of CSV; unknown values are empty.
    package var csv: String {
        func text(_ value: (some CustomStringConvertible)?) -> String { value?.description ?? "" }
        return CSVLine.text(of: [
            lookup.name, lookup.source.rawValue, lookup.recordType ?? "", lookup.resolver ?? "",
            String(lookup.process.pid), lookup.process.name, lookup.startedAt.iso8601,
            JSONValue.milliseconds(lookup.duration).compact, lookup.error ?? "", String(lookup.answers),
            lookup.addresses.joined(separator: " "), text(lookup.queries), text(lookup.bytesUp?.bytes),
            text(lookup.bytesDown?.bytes),
        ])
    }
}
