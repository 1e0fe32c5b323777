/// Why a JSON file cannot be read, and where.
package struct JSONFault: Error, Hashable, CustomStringConvertible {
    /// The line, counted from 1.
    package var line: Int
    /// The number of bytes before the fault.
    package var offset: Int
    /// The entry, counted from 1; nil if the fault is outside of the entries.
    package var entry: Int?
    /// What is wrong.
    package var reason: String

    /// Creates a fault at that place.
    package init(line: Int, offset: Int, entry: Int? = nil, reason: String) {
        self.line = line
        self.offset = offset
        self.entry = entry
        self.reason = reason
    }

    /// The place and the reason in words.
    package var description: String {
        "line \(line), byte \(offset)\(entry.map { ", entry \($0)" } ?? ""): \(reason)"
    }
}
