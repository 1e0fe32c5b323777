internal import TextFormats
package import TrafficModel

/// One comparison of the report.
package struct ProofLine: Hashable, Sendable {
    /// What the comparison has shown.
    package enum Verdict: String, Sendable, CaseIterable {
        /// The two are the same.
        case exact
        /// They differ by no more than the recorded margin.
        case withinMargin
        /// They differ, and the record claims nothing else: its size is unknown, or has no margin.
        case unknown
        /// They differ, although the record claims otherwise.
        case differs
        /// The meter has no record, and does not claim one.
        case notMetered
    }

    /// The way, the kind, and what is compared, such as `metrics/gzip/1/response`.
    package let name: String
    package let verdict: Verdict
    /// What the origin has logged, or what the program got without a meter.
    package let expected: String
    /// What was recorded, or what the program got with the meter.
    package let found: String
    /// How the record says that it knows; nil if nothing was recorded.
    package let evidence: Evidence?

    init(_ name: String, _ verdict: Verdict, expected: String, found: String, evidence: Evidence? = nil) {
        self.name = name
        self.verdict = verdict
        self.expected = expected
        self.found = found
        self.evidence = evidence
    }

    var json: JSONValue {
        .object([
            .init("name", .string(name)), .init("verdict", .string(verdict.rawValue)),
            .init("expected", .string(expected)), .init("found", .string(found)),
            .init("evidence", .text(evidence?.name)),
        ])
    }
}
