/// The width of a text on a terminal, and whether it may have colours.
package struct TextStyle: Hashable, Sendable {
    /// Columns of the terminal.
    package var width: Int
    /// Whether colours are wanted.
    package var hasColour: Bool

    /// The time zone of the times that people read.
    package var zone: ClockZone
    /// The columns of a table, by their names and in this order; nil for those that fit.
    package var columns: [String]?
    /// Whether tables that can have other columns name those that did not fit.
    package var namesHiddenColumns: Bool

    /// Creates a style for a terminal of that width.
    package init(
        width: Int = 120, hasColour: Bool = false, zone: ClockZone = .utc, columns: [String]? = nil,
        namesHiddenColumns: Bool = false
    ) {
        self.width = max(20, width)
        self.hasColour = hasColour
        self.zone = zone
        self.columns = columns
        self.namesHiddenColumns = namesHiddenColumns
    }

    /// The line below a table about the columns that did not fit; empty if all did.
    package func hiddenNote(_ titles: [String]) -> String {
        guard namesHiddenColumns, !titles.isEmpty else { return "" }
        let note = "Not shown at \(width) columns: \(titles.joined(separator: ", ")) (--columns, or a wider terminal)"
        return TerminalText.wrapped(note, to: width).map { dim($0) + "\n" }.joined()
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
