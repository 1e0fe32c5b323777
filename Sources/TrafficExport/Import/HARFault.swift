/// Why a HAR cannot be read, and where.
package struct HARFault: Error, Hashable, CustomStringConvertible {
    /// The line, counted from 1.
    package var line: Int
    /// How many bytes stand before the place.
    package var offset: Int
    /// The entry, counted from 1; nil where the fault lies outside of the entries.
    package var entry: Int?
    /// What is wrong.
    package var reason: String

    /// All of it in words.
    package var description: String {
        "line \(line), byte \(offset)\(entry.map { ", entry \($0)" } ?? ""): \(reason)"
    }
}
