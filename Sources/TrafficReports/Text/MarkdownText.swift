/// Text that came over the wire, made fit for a table in Markdown.
enum MarkdownText {
    /// The text with what a terminal obeys and what Markdown reads as marks escaped.
    static func escaped(_ text: String) -> String {
        TerminalText.escaped(text).reduce(into: "") { result, character in
            if "\\|`*[]<>".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
