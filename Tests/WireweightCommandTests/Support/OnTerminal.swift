import Foundation

/// A program on a terminal of its own, by `script` of util-linux.
enum OnTerminal {
    static let isPossible = Built.has("script")

    /// Runs a line of shell on a terminal of that size; the output has the terminal's line ends.
    static func run(
        _ line: String, rows: Int = 24, columns: Int = 100, environment: [String: String?] = [:]
    ) throws -> Ended {
        var changes: [String: String?] = [
            "TERM": "xterm-256color", "TZ": "UTC", "NO_COLOR": nil, "CLICOLOR": nil, "CLICOLOR_FORCE": nil,
            "PAGER": nil, "WIREWEIGHT_PAGER": nil, "COLUMNS": nil,
            // A busy machine must not add a line to what a test expects.
            "WIREWEIGHT_PROGRESS_AFTER": "600",
        ]
        changes.merge(environment) { $1 }
        return try launch(
            ["script", "-qec", "stty rows \(rows) columns \(columns); \(line)", "/dev/null"], environment: changes)
    }
}
