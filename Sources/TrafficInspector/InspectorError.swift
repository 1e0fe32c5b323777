/// Why the inspector cannot start.
package struct InspectorError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do about it.
    package let description: String

    init(_ problem: String, advice: String) { description = "\(problem); \(advice)" }
}
