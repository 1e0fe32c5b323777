import TrafficModel

extension TrafficReport {
    /// The report for a terminal of that width.
    package func table(_ style: TextStyle = TextStyle()) -> String {
        guard totals.requests > 0 || !rows.isEmpty else {
            return "No requests.\n" + notes(style).map { $0 + "\n" }.joined()
        }
        let columns = columns
        let body = rows.map { cells(of: $0, names: grouping.keyColumns.map { $0.text }, key: $0.key) }
        let remainderCells = remainder.map { summary(remainderName, of: $0) }
        let totalCells = summary("Total", of: totals)
        let everything = body + [remainderCells, totalCells].compactMap(\.self)
        let widths = columns.indices.map { index in everything.map { TerminalText.width($0[index]) }.max() ?? 0 }
        let layout = TableLayout(columns, naturalWidths: widths, fitting: style.width)
        let failed = columns.firstIndex { $0.title == "Failed" }
        var text = style.bold(layout.header) + "\n"
        for (cells, row) in zip(body, rows) {
            text += layout.line(cells) { $0 == failed && row.failures > 0 ? style.red($1) : $1 } + "\n"
        }
        if let remainderCells { text += style.dim(layout.line(remainderCells)) + "\n" }
        text += style.dim(layout.rule) + "\n" + style.bold(layout.line(totalCells)) + "\n"
        for note in notes(style) { text += note + "\n" }
        return text
    }

    /// What the rows that the limit left out are called.
    var remainderName: String { "and \(Units.count(Int64(remainingRows))) more" }

    /// A name as a table shows it; what has none is said to have none.
    func displayName(_ name: String) -> String {
        guard name.isEmpty else { return name }
        return grouping == .status ? "none" : "–"
    }

    /// The number columns in the order in which they give way: share, p50, p95, failures, captured, up.
    private var columns: [TableLayout.Column] {
        let keys = grouping.keyColumns.map { column in
            switch column.name {
            case "template", "path": TableLayout.Column(title: column.title, least: 16)
            case "host": TableLayout.Column(title: column.title, least: 10, dropOrder: grouping == .host ? nil : 6)
            case "contentType": TableLayout.Column(title: column.title, least: 12)
            default: TableLayout.Column(title: column.title)
            }
        }
        return keys + [
            TableLayout.Column(title: "Requests", isNumber: true),
            TableLayout.Column(title: "Failed", isNumber: true, dropOrder: 7),
            TableLayout.Column(title: "Up", isNumber: true),
            TableLayout.Column(title: "Down", isNumber: true),
            TableLayout.Column(title: "Share", isNumber: true, dropOrder: 10),
            TableLayout.Column(title: "p50", isNumber: true, dropOrder: 9),
            TableLayout.Column(title: "p95", isNumber: true, dropOrder: 8),
            TableLayout.Column(title: "p99", isNumber: true, dropOrder: 11),
        ]
    }

    private func cells(
        of row: TrafficTotal, names: [@Sendable (TrafficTotal.Key) -> String], key: TrafficTotal.Key
    ) -> [String] {
        names.map { displayName(TerminalText.escaped($0(key))) } + numbers(of: row)
    }

    private func summary(_ name: String, of row: TrafficTotal) -> [String] {
        // In the column that has the room.
        let count = grouping.keyColumns.count
        return Array(repeating: "", count: count - 1) + [name] + numbers(of: row)
    }

    private func numbers(of row: TrafficTotal) -> [String] {
        let share = totals.bytes == 0 ? 0 : Double(row.bytes.bytes) / Double(totals.bytes.bytes)
        return [
            Units.count(row.requests), row.failures == 0 ? "–" : Units.count(row.failures), Self.size(row.up),
            Self.size(row.down), Units.percent(share),
        ] + [0.5, 0.95, 0.99].map { Units.duration(row.latency.percentile($0)) }
    }

    /// A tilde says that not all of it was captured.
    private static func size(_ parts: PartTotals) -> String {
        (parts.captured < parts.total ? "~" : "") + Units.bytes(parts.total)
    }

    // MARK: Notes

    /// What is to be said below the table.
    private func notes(_ style: TextStyle) -> [String] {
        var notes: [String] = []
        if totals.bytes > 0 {
            let share = totals.capturedShare
            let rest = share < 1 ? "; ~ marks sums of which a part is reported or reconstructed" : ", exact to the byte"
            notes.append("\(Units.percent(share)) of \(Units.bytes(totals.bytes)) was captured\(rest).")
        }
        if totals.unanswered > 0 {
            let noun = totals.unanswered == 1 ? "request has" : "requests have"
            notes.append("\(Units.count(totals.unanswered)) \(noun) no response.")
        }
        if thinnedOut > 0 {
            notes.append(
                "Rows of \(Units.count(thinnedOut)) more requests are not kept; reports by api, host or method count them.")
        }
        if !losses.isEmpty {
            let list = losses.map { "\($0.reason.rawValue) \(Units.count($0.count))" }.joined(separator: ", ")
            notes.append(style.yellow("Warning: not everything could be recorded (\(list)); the totals lack it."))
        }
        return notes
    }
}
