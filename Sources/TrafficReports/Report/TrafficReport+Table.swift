import TrafficModel

extension TrafficReport {
    /// The report for a terminal of that width.
    package func table(_ style: TextStyle = TextStyle()) -> String {
        guard totals.requests > 0 || !rows.isEmpty else {
            return "No requests.\n" + noteText(style)
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
        return text + noteText(style)
    }

    /// What the rows that the limit left out are called.
    var remainderName: String { "and \(Units.count(Int64(remainingRows))) more" }

    /// A name as a table shows it; what has none is said to have none.
    func displayName(_ name: String) -> String {
        guard name.isEmpty else { return name }
        return grouping == .status ? "none" : "–"
    }

    /// What gives way first when there is no room: p99, share, p50, p95, then failures, host, up and requests.
    private var columns: [TableLayout.Column] {
        let keys = grouping.keyColumns.map { column in
            switch column.name {
            case "template", "path": TableLayout.Column(title: column.title, least: 16, comfort: 36)
            case "host" where grouping == .host: TableLayout.Column(title: column.title, least: 12, comfort: 30)
            case "host": TableLayout.Column(title: column.title, least: 10, comfort: 16, dropOrder: 6)
            case "contentType": TableLayout.Column(title: column.title, least: 12, comfort: 24)
            default: TableLayout.Column(title: column.title)
            }
        }
        return keys + [
            TableLayout.Column(title: "Requests", isNumber: true, dropOrder: 4),
            TableLayout.Column(title: "Failed", isNumber: true, dropOrder: 7),
            TableLayout.Column(title: "Up", isNumber: true, dropOrder: 5),
            TableLayout.Column(title: "Down", isNumber: true),
            TableLayout.Column(title: "Share", isNumber: true, dropOrder: 12),
            TableLayout.Column(title: "p50", isNumber: true, dropOrder: 11),
            TableLayout.Column(title: "p95", isNumber: true, dropOrder: 10),
            TableLayout.Column(title: "p99", isNumber: true, dropOrder: 13),
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

    /// What is to be said below the table, and the warnings behind it.
    private func noteText(_ style: TextStyle) -> String {
        func text(_ note: String, _ paint: (String) -> String) -> String {
            TerminalText.wrapped(note, to: style.width).map { paint($0) + "\n" }.joined()
        }
        return notes.map { text($0) { $0 } }.joined() + (warning.map { text($0, style.yellow) } ?? "")
    }

    private var notes: [String] {
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
        if let overflowNote { notes.append(overflowNote) }
        if thinnedOut > 0 {
            notes.append(
                "Rows of \(Units.count(thinnedOut)) more requests are not kept; reports by api, host or method count them."
            )
        }
        return notes
    }

    private var warning: String? {
        if losses.isEmpty { return nil }
        let list = losses.map { "\($0.reason.rawValue) \(Units.count($0.count))" }.joined(separator: ", ")
        return "Warning: not everything could be recorded (\(list)); the totals lack it."
    }
}
