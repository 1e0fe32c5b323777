/// The lookups of names of a run, and which failed.
package struct LookupTally: Sendable {
    /// What failed, and how.
    package struct Failure: Hashable, Sendable {
        /// The name; empty for those that are not listed.
        package var name: String
        /// The name of its code.
        package var error: String
    }

    /// The number of all lookups.
    package private(set) var lookups = 0
    /// How many failed in each way.
    package private(set) var failures: [Failure: Int] = [:]

    /// The largest number of names that are listed.
    package static let most = 1_000

    package init() {}

    /// The number of lookups that failed.
    package var failed: Int { failures.values.reduce(0, +) }

    /// Counts a lookup.
    package mutating func add(_ lookup: LookupRecord) {
        lookups += 1
        guard let error = lookup.error else { return }
        var failure = Failure(name: lookup.name, error: error)
        if failures[failure] == nil, failures.count >= Self.most { failure.name = "" }
        failures[failure, default: 0] += 1
    }
}
