import TextFormats

extension Audit {
    /// The findings as CSV (RFC 4180), under the names of the JSON format; new columns are appended.
    package var csv: String { CSVTable.text(Self.csvMembers, of: findings.map(\.jsonValue)) }

    private static let csvMembers =
        ["rule", "alarm", "method", "host", "template", "direction"]
        + ["bytes", "milliseconds", "bytesPer1000Calls", "millisecondsPer1000Calls"].map { "saving.\($0)" }
        + ["basis", "source", "scaled", "calls", "examinedCalls", "affectedCalls", "problem", "remedy", "evidence"]
}
