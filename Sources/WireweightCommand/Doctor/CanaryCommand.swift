import ArgumentParser
import Wireweight

/// Makes the doctor's requests in a process of its own, which the doctor meters from outside as it would any program.
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
            // A line for each, at once: whoever reads them wants to know how far a process came that died.
            try output.write("\(style.rawValue)\t\(CanaryReport.line(failure ?? ""))\n")
            try output.flush()
        }
    }
}

/// What such a process writes: a style, a tab, and what went wrong or nothing.
enum CanaryReport {
    static func line(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: " ") }

    /// What went wrong, by style; styles that went well have an empty text, and those that were not come to have none.
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
