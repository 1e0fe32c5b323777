/// Of how many installations of a fleet the details are there: their exchanges one by one, and not sums alone.
package struct DetailCoverage: Hashable, Sendable {
    /// The installations that have requests.
    package var installations: Int64
    /// Those of them that sent none one by one, and that no other installation stands for.
    package var withoutDetails: Int64

    /// A coverage of those counts.
    package init(installations: Int64, withoutDetails: Int64) {
        self.installations = installations
        self.withoutDetails = withoutDetails
    }
}
