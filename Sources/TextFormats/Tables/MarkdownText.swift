/// Makes text from the wire safe for a table in Markdown.
package enum MarkdownText {
    /// Escapes characters that a terminal obeys, and those that Markdown reads as marks.
    package static func escaped(_ text: String) -> String {
        TerminalText.escaped(text).reduce(into: "") { result, character in
            if "\\|`*[]<>".contains(character) { result.append("\\") }
            result.append(character)
        }
    }
}
