/// A table in GitHub's Markdown.
package enum MarkdownTable {
    /// The row of titles and the rule below it; the last `numbers` columns are aligned to the right.
    package static func header(_ titles: [String], numbers: Int) -> String {
        let rule = titles.indices.map { $0 < titles.count - numbers ? " --- |" : " ---: |" }.joined()
        return row(titles) + "|" + rule + "\n"
    }

    /// A row of cells, which must be Markdown.
    package static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }
}
