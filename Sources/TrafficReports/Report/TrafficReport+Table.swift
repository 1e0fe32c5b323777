package import TextFormats
import TrafficModel

extension TrafficReport {
    /// The report for a terminal.
    package func table(_ style: TextStyle = TextStyle(), _ view: ReportView = .bytes) -> String {
        guard totals.requests > 0 || !rows.isEmpty else {
            return (selection == nil ? "No requests.\n" : "No request matches.\n") + noteText(style)
        }
        return grid(rows, totals, hasTotals: true, style, view) + noteText(style)
    }

    /// The rows of a table.
    ///
    /// - Parameters:
    ///   - rows: the rows, of this report or of several.
    ///   - totals: the whole that shares refer to.
    ///   - hasTotals: whether it is the last row, below the remainder.
    ///   - style: colours and width.
    ///   - view: the columns.
    /// - Returns: lines.
    func grid(
        _ rows: [TrafficTotal], _ totals: TrafficTotal, hasTotals: Bool, _ style: TextStyle, _ view: ReportView
    ) -> String {
        let numbers = view.tableColumns(of: totals, in: style)
        let columns = keyColumns + numbers.map(\.column)
        let keys = grouping.keyColumns
        let body = rows.map { row in
            keys.map { displayName(TerminalText.escaped($0.text(row.key))) } + numbers.map { $0.text(row) }
        }
        // In the last of the key columns, which has the most room.
        let remainderCells = remainder.map { row in blanks + [remainderName] + numbers.map { $0.text(row) } }
        let totalCells = hasTotals ? blanks + ["Total"] + numbers.map { $0.text(totals) } : nil
        let everything = body + [remainderCells, totalCells].compactMap(\.self)
        let widths = columns.indices.map { index in everything.map { TerminalText.width($0[index]) }.max() ?? 0 }
        let layout = TableLayout(columns, naturalWidths: widths, fitting: style.width, choosing: style.columns)
        let failed = columns.firstIndex { $0.title == "Failed" }
        var text = style.bold(layout.header) + "\n"
        for (cells, row) in zip(body, rows) {
            text += layout.line(cells) { $0 == failed && row.failures > 0 ? style.red($1) : $1 } + "\n"
        }
        if let remainderCells { text += style.dim(layout.line(remainderCells)) + "\n" }
        if let totalCells { text += style.dim(layout.rule) + "\n" + style.bold(layout.line(totalCells)) + "\n" }
        return text + style.hiddenNote(layout.hidden)
    }

    /// The name of the rows beyond the limit.
    var remainderName: String { "other \(grouping.pluralTitle) (\(Units.count(Int64(remainingRows))))" }

    /// A name as a table shows it, with a placeholder for an empty one.
    func displayName(_ name: String) -> String {
        guard name.isEmpty else { return name }
        return grouping == .status ? "none" : "–"
    }

    /// Whether the host distinguishes rows, so that two of the same path are not taken for one.
    private var namesSeveralHosts: Bool { rows.dropFirst().contains { $0.key.host != rows[0].key.host } }

    // Of one host, the column is dropped before the failures; of several, after the requests: see ``ReportView``.
    private var keyColumns: [TableLayout.Column] {
        grouping.keyColumns.map { column in
            switch column.name {
            case "template", "path":
                TableLayout.Column(title: column.title, least: 16, comfort: 36, isKey: true)
            case "host" where grouping == .host:
                TableLayout.Column(title: column.title, least: 12, comfort: 30, isKey: true)
            case "host":
                TableLayout.Column(
                    title: column.title, least: 10, comfort: 16, dropOrder: namesSeveralHosts ? 3 : 7, isKey: true)
            case "contentType", "process": TableLayout.Column(title: column.title, least: 12, comfort: 24, isKey: true)
            default: TableLayout.Column(title: column.title, isKey: true)
            }
        }
    }

    // MARK: Notes

    /// The notes below the table, and then the warnings.
    func noteText(_ style: TextStyle) -> String {
        func text(_ note: String, _ paint: (String) -> String) -> String {
            TerminalText.wrapped(note, to: style.width).map { paint($0) + "\n" }.joined()
        }
        return sparklines(style) + notes(in: style.zone).map { text($0) { $0 } }.joined()
            + (warning.map { text($0, style.yellow) } ?? "")
    }

    /// Sentences on how complete the sums are, and on what they leave out.
    package func notes(in zone: ClockZone) -> [String] {
        var notes = completeness.sentences.map(\.english)
        if totals.unanswered > 0 {
            let noun = totals.unanswered == 1 ? "request has" : "requests have"
            notes.append("\(Units.count(totals.unanswered)) \(noun) no response.")
        }
        if let besideNote { notes.append(besideNote) }
        if let overflowNote { notes.append(overflowNote) }
        if let rowsNote { notes.append(rowsNote) }
        if let selection { notes.append(selection.sentence(totals.requests, in: zone)) }
        return notes
    }

    /// The bytes on the wire besides the messages; nil if they are not known.
    var besideNote: String? {
        guard totals.sharing > 0, let packets = totals.packets else { return nil }
        let overhead = totals.overhead.total
        let share = Double(overhead.bytes) / Double(max(1, (totals.bytes + overhead).bytes))
        let packetsText = "Estimated total with TCP/IP headers: \(Units.bytes(packets.total))."
        if overhead == .zero && !completeness.isOnlyMessages { return packetsText }
        let protocols = completeness.namesOverhead ? "" : " (TLS, HTTP/2)"
        let first =
            overhead == .zero
            ? "Connection overhead\(protocols): none"
            : "Connection overhead\(protocols): \(Units.bytes(overhead)), \(Units.percent(share)) of the total"
        let carried = totals.newConnections + totals.reusedConnections
        let lacking = carried - totals.sharing
        let scope =
            lacking <= 0
            ? "" : "; not known for \(Units.count(lacking)) of \(Units.count(carried)) exchanges"
        return "\(first)\(scope). \(packetsText)"
    }

    /// What sums of stored rows lack; nil for other groupings, or if nothing is missing.
    var rowsNote: String? {
        guard selection == nil, countsRows else { return nil }
        if let error = totals.error {
            return
                "Estimated from the \(Units.count(error.counted)) requests that were sent one by one; ± is one standard "
                + "deviation. All other reports count every request."
        }
        if thinnedOut > 0 {
            return "Rows of \(Units.count(thinnedOut)) more requests are not kept; all other reports count them."
        }
        return range == .always
            ? nil : "Counted from the rows that are kept; all other reports count every request that was metered."
    }

    private var warning: String? {
        if losses.isEmpty { return nil }
        let list = losses.map { "\($0.reason.rawValue) \(Units.count($0.count))" }.joined(separator: ", ")
        return "Warning: not everything could be recorded (\(list)), so the totals are too low."
    }
}
