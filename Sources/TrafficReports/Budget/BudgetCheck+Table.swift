package import TextFormats

extension BudgetCheck {
    /// The check for a terminal: the APIs that differ, why the check fails, and the result.
    package func table(_ style: TextStyle = TextStyle()) -> String {
        let shown = rows.filter { $0.verdict != .same }
        var text = ""
        if !shown.isEmpty {
            let cells = shown.map { row in
                [
                    row.isBreach ? row.verdict.rawValue.uppercased() : row.verdict.rawValue,
                    row.api.methodText, row.api.host, row.api.template,
                    row.passage(.requests), row.passage(.up), row.passage(.down), row.change,
                ].map { TerminalText.escaped($0) }
            }
            let widths = Self.columns.indices.map { index in cells.map { TerminalText.width($0[index]) }.max() ?? 0 }
            let layout = TableLayout(Self.columns, naturalWidths: widths, fitting: style.width)
            text += style.bold(layout.header) + "\n"
            for (row, cells) in zip(shown, cells) {
                text += layout.line(cells) { $0 == 0 && row.isBreach ? style.red($1) : $1 } + "\n"
            }
            text += "\n"
        }
        for row in breaches where !row.reasons.isEmpty {
            text += "\(TerminalText.escaped(row.api.name))\n"
            text += row.reasons.map { "  \($0)\n" }.joined()
        }
        for note in notes { text += TerminalText.wrapped(note, to: style.width).map { $0 + "\n" }.joined() }
        if let warning {
            text += TerminalText.wrapped(warning, to: style.width).map { style.yellow($0) + "\n" }.joined()
        }
        return text + (isPassed ? style.bold(conclusion) : style.red(conclusion)) + "\n"
    }

    private static let columns = [
        TableLayout.Column(title: "Verdict"),
        TableLayout.Column(title: "Method"),
        TableLayout.Column(title: "Host", least: 10, comfort: 16, dropOrder: 3),
        TableLayout.Column(title: "API", least: 16, comfort: 30),
        TableLayout.Column(title: "Requests", isNumber: true, dropOrder: 1),
        TableLayout.Column(title: "Up", isNumber: true, dropOrder: 2),
        TableLayout.Column(title: "Down", isNumber: true),
        TableLayout.Column(title: "Bytes", isNumber: true, dropOrder: 10),
    ]
}
