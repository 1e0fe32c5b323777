import ArgumentParser
import Wireweight

/// Makes the doctor's requests in a separate process, which the doctor meters from outside like any other program.
struct CanaryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "canaries", abstract: "Make a request in each style of URLSession; the doctor's own.",
        shouldDisplay: false)

    @Argument(help: "Where the requests go, without a slash at the end.")
    var address: String

    func run() throws {
        let address = address
        var output = Output()
        for style in SelfTest.Style.ofURLSession {
            let failure = try InspectorHost.wait { await Canary.send(style, to: address) }
            // Flush after each line: if this process dies, the doctor sees how far it came.
            try output.write("\(style.rawValue)\t\(CanaryReport.line(failure ?? ""))\n")
            try output.flush()
        }
    }
}

/// The output of such a process: on each line a style, a tab, and the error, or nothing if there was none.
enum CanaryReport {
    static func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }

    /// Returns the errors by style; a style that succeeded has an empty text, and one that was not reached has no
    /// entry.
    static func read(_ text: String) -> [SelfTest.Style: String] {
        var result: [SelfTest.Style: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let style = SelfTest.Style(rawValue: String(parts[0])) else { continue }
            result[style] = String(parts[1])
        }
        return result
    }
}
