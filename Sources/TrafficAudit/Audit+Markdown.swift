import TextFormats
import TrafficModel

extension Audit {
    /// The findings in GitHub's Markdown: a table, then what to do about each.
    package var markdown: String {
        guard !findings.isEmpty else { return table() }
        var text = "| # | Saves | Time | per 1,000 calls | Time per 1,000 | Basis | Rule | API | Evidence |\n"
        text += "| ---: | ---: | ---: | ---: | ---: | --- | --- | --- | --- |\n"
        for (index, finding) in findings.enumerated() {
            let evidence = finding.evidence.map(\.description).joined(separator: ", ")
            let cells = finding.cells(number: index + 1).map(MarkdownText.escaped) + [evidence]
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        text += "\n"
        for (index, finding) in findings.enumerated() {
            text += "\(index + 1). \(MarkdownText.escaped(finding.problem)) \(MarkdownText.escaped(finding.remedy))\n"
        }
        return text + "\n" + notes(in: .utc).joined(separator: " ") + "\n"
    }
}
