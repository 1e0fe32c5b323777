package import TextFormats
import TrafficModel

extension CaptureVerification {
    /// The comparison for a terminal.
    package func table(_ style: TextStyle = TextStyle()) -> String {
        var text = ""
        if !rows.isEmpty {
            text += section(rows, with: "Total", style) + "\n"
            text += notes(of: rows, style)
        }
        if !unmetered.isEmpty {
            text += "In the capture, to the same servers, and not metered:\n\n"
            text += section(unmetered, with: nil, style) + "\n"
        }
        for remark in remarks { text += TerminalText.wrapped(remark, to: style.width).map { $0 + "\n" }.joined() }
        if let mismatch {
            text += TerminalText.wrapped(mismatch, to: style.width).map { style.yellow($0) + "\n" }.joined()
        }
        return text + (isPassed ? style.bold(conclusion) : style.red(conclusion)) + "\n"
    }

    private func section(_ rows: [Row], with total: String?, _ style: TextStyle) -> String {
        var lines = rows.map(\.cells)
        if let total {
            let (captured, metered) = sums
            lines.append(
                [total, "", ""] + Row.cells(captured: captured, metered: metered, difference: captured - metered))
        }
        let widths = Self.columns.indices.map { index in lines.map { TerminalText.width($0[index]) }.max() ?? 0 }
        let layout = TableLayout(Self.columns, naturalWidths: widths, fitting: style.width)
        var text = style.bold(layout.header) + "\n"
        for (index, line) in lines.enumerated() {
            if index == rows.count { text += layout.rule + "\n" }
            let isBad = index < rows.count && rows[index].record != nil && rows[index].verdict != .agrees
            text += layout.line(line) { $0 == 0 && isBad ? style.red($1) : $1 } + "\n"
        }
        return text
    }

    /// The notes of the rows; rows with the same note share it.
    private func notes(of rows: [Row], _ style: TextStyle) -> String {
        var ends: [String: [String]] = [:]
        var order: [String] = []
        for row in rows {
            guard let note = row.note else { continue }
            if ends[note] == nil { order.append(note) }
            ends[note, default: []].append(row.local.text)
        }
        return order.map { note in
            let names = ends[note] ?? []
            let shown = names.prefix(3).joined(separator: ", ")
            let more = names.count > 3 ? " and \(Units.count(Int64(names.count - 3))) more" : ""
            return TerminalText.wrapped(TerminalText.escaped("\(shown)\(more): \(note)"), to: style.width)
                .map { $0 + "\n" }.joined()
        }.joined() + (order.isEmpty ? "" : "\n")
    }

    private static let columns = [
        TableLayout.Column(title: "Verdict"),
        TableLayout.Column(title: "Local", least: 6, comfort: 12, dropOrder: 11),
        TableLayout.Column(title: "Remote", least: 12, comfort: 16, dropOrder: 10),
        TableLayout.Column(title: "Captured up", isNumber: true, dropOrder: 4),
        TableLayout.Column(title: "Metered up", isNumber: true, dropOrder: 3),
        TableLayout.Column(title: "Diff", isNumber: true),
        TableLayout.Column(title: "Captured down", isNumber: true, dropOrder: 2),
        TableLayout.Column(title: "Metered down", isNumber: true, dropOrder: 1),
        TableLayout.Column(title: "Diff", isNumber: true),
    ]
}

extension CaptureVerification.Row {
    fileprivate var cells: [String] {
        [verdict.rawValue, TerminalText.escaped(local.text), TerminalText.escaped(remote.text)]
            + Self.cells(captured: captured, metered: metered, difference: difference)
    }

    fileprivate static func cells(
        captured: CaptureVerification.Payload?, metered: CaptureVerification.Payload?,
        difference: CaptureVerification.Payload?
    ) -> [String] {
        func text(_ count: Int64?) -> String { count.map { Units.count($0) } ?? "–" }
        return [
            text(captured?.up), text(metered?.up), text(difference?.up), text(captured?.down), text(metered?.down),
            text(difference?.down),
        ]
    }
}
