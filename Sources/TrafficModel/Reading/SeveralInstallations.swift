/// Installations of a fleet that are read together: sums are of all of them, and lists have the numbers of one.
package struct SeveralInstallations: Error, Hashable, Sendable, CustomStringConvertible {
    /// How many they are.
    package let count: Int64
    /// Some of them.
    package let some: [InstallationID]

    /// Installations that are read together.
    package init(count: Int64, some: [InstallationID]) {
        self.count = count
        self.some = some
    }

    /// Why there is no list, and what to do.
    package var description: String {
        let names = some.prefix(3).map { "'installation=\($0)'" }.joined(separator: ", ")
        return
            "the address selects \(count) installations, and exchanges have the numbers of one; add one of them, such as \(names)"
    }
}
