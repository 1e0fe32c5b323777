/// A table in GitHub's Markdown.
enum MarkdownTable {
    /// The row of titles and the rule below it; the last columns, those with numbers, stand at the right.
    static func header(_ titles: [String], numbers: Int) -> String {
        let rule = titles.indices.map { $0 < titles.count - numbers ? " --- |" : " ---: |" }.joined()
        return row(titles) + "|" + rule + "\n"
    }

    /// A row of cells, which are Markdown.
    static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    /// Text of others, so that it stands there as it is.
    static func escaped(_ text: String) -> String {
        TerminalText.escaped(text).reduce(into: "") { result, character in
            if "\\|`*_[]<>#~&@".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
