internal import Foundation
internal import TextFormats
internal import TrafficModel

/// The result as two files: JSON for programs, Markdown for an issue.
package struct ProofReport: Sendable {
    private let proof: Proof

    package init(_ proof: Proof) { self.proof = proof }

    /// The number of lines of a way by their verdict.
    package func counts(of way: String) -> [ProofLine.Verdict: Int] {
        Dictionary(grouping: proof.lines.filter { $0.name.hasPrefix(way + "/") }, by: \.verdict).mapValues(\.count)
    }

    private var ways: [String] { Way.all.dropFirst().map(\.name) }

    private var system: String {
        #if os(macOS)
            "macOS"
        #elseif os(iOS)
            "iOS"
        #elseif os(tvOS)
            "tvOS"
        #elseif os(watchOS)
            "watchOS"
        #else
            "Linux"
        #endif
    }

    /// All lines, with the metrics as the system reported them.
    package var json: String {
        JSONValue.object([
            .init("system", .string(system)),
            .init("version", .string(ProcessInfo.processInfo.operatingSystemVersionString)),
            .init("kinds", .array(Proof.kinds.map { .string($0) })),
            .init("lines", .array(proof.lines.map(\.json))), .init("losses", .object(proof.losses)),
            .init("metrics", .object(proof.metrics)),
        ]).pretty + "\n"
    }

    /// Counts by way, and the lines that are not exact.
    package var markdown: String {
        let verdicts = ProofLine.Verdict.allCases
        var text = "# Wireweight on \(system) \(ProcessInfo.processInfo.operatingSystemVersionString)\n\n"
        text +=
            "\(Proof.kinds.count) kinds of request, each compared with the origin's log and with the same call without a meter.\n\n"
        text += "| way | " + verdicts.map(\.rawValue).joined(separator: " | ") + " |\n"
        text += "| --- |" + String(repeating: " ---: |", count: verdicts.count) + "\n"
        for way in ways {
            let counts = counts(of: way)
            text += "| \(way) | " + verdicts.map { "\(counts[$0] ?? 0)" }.joined(separator: " | ") + " |\n"
        }
        text += "\nSizes are: total = start line + headers + interim + body + framing.\n"
        for way in ways {
            text += "\n## \(way)\n\n| line | verdict | expected | found | evidence |\n| --- | --- | --- | --- | --- |\n"
            for line in proof.lines where line.name.hasPrefix(way + "/") && line.verdict != .exact {
                let cells = [
                    line.name, line.verdict.rawValue, line.expected, line.found, line.evidence?.name ?? "",
                ]
                text += "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
            }
        }
        return text
    }
}
