package import Diagnosis

/// The output of a process that makes canaries' requests: on each line a style, a tab, and the error, or nothing if there was none.
package enum CanaryReport {
    package static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// Returns the errors by style; a style that succeeded has an empty text, and one that was not reached has no
    /// entry.
    package static func read(_ text: String) -> [SelfTest.Style: String] {
        var result: [SelfTest.Style: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let style = SelfTest.Style(rawValue: String(parts[0])) else { continue }
            result[style] = String(parts[1])
        }
        return result
    }
}
