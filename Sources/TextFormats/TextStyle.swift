/// The width of a text on a terminal, and whether it may have colours.
package struct TextStyle: Hashable, Sendable {
    /// Columns of the terminal.
    package var width: Int
    /// Whether colours are wanted.
    package var hasColour: Bool

    /// Creates a style for a terminal of that width.
    package init(width: Int = 120, hasColour: Bool = false) {
        self.width = max(20, width)
        self.hasColour = hasColour
    }

    package func bold(_ text: String) -> String { wrapped(text, "1") }
    package func dim(_ text: String) -> String { wrapped(text, "2") }
    package func red(_ text: String) -> String { wrapped(text, "31") }
    package func green(_ text: String) -> String { wrapped(text, "32") }
    package func yellow(_ text: String) -> String { wrapped(text, "33") }

    private func wrapped(_ text: String, _ code: String) -> String {
        hasColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
