package import TextFormats
package import TrafficModel

/// Lookups of names as lines of a table; the widths depend on the first rows only, so any number can stream.
package struct LookupTable: Sendable {
    /// The number of rows that are examined for the widths.
    package static let measured = 200

    private let layout: TableLayout
    private let style: TextStyle

    private static let resultColumn = 4

    /// Creates a table for a terminal, with room for what is as wide as in the first rows.
    package init(_ style: TextStyle = TextStyle(), measuring first: [LookupRecord] = []) {
        self.style = style
        let columns = Self.columns(style.zone)
        let rows = first.map { Self.cells(of: $0, style.zone) }
        layout = TableLayout(
            columns,
            naturalWidths: columns.indices.map { column in
                rows.map { TerminalText.width(TerminalText.escaped($0[column])) }.max() ?? 0
            }, fitting: style.width, choosing: style.columns)
    }

    private static func columns(_ zone: ClockZone) -> [TableLayout.Column] {
        typealias Column = TableLayout.Column
        return [
            Column(title: "Time (\(zone.name))", dropOrder: 12), Column(title: "Name", least: 12, comfort: 22),
            Column(title: "Type", dropOrder: 11), Column(title: "Took", isNumber: true),
            Column(title: "Result", least: 12, comfort: 20), Column(title: "Up", isNumber: true, dropOrder: 8),
            Column(title: "Down", isNumber: true, dropOrder: 9), Column(title: "Asked", dropOrder: 13),
            Column(title: "Process", dropOrder: 14),
        ]
    }

    /// The names of all columns, for the option that chooses among them.
    package static var columnNames: [String] { TableLayout.choices(of: columns(.utc)) }

    /// The row of titles, with its line end.
    package var header: String { style.bold(layout.header) + "\n" }

    /// What follows the rows, with line ends: the columns that did not fit.
    package var footer: String { style.hiddenNote(layout.hidden) }

    /// The row of one lookup, with its line end.
    package func line(_ lookup: LookupRecord) -> String {
        let cells = Self.cells(of: lookup, style.zone).map { TerminalText.escaped($0) }
        return layout.line(cells) { index, cell in
            lookup.hasFailed && index == Self.resultColumn ? style.red(cell) : cell
        } + "\n"
    }

    private static func cells(of lookup: LookupRecord, _ zone: ClockZone) -> [String] {
        func bytes(_ count: ByteCount?) -> String { count.map { Units.bytes($0) } ?? "?" }
        return [
            lookup.startedAt.timeOfDay(in: zone), lookup.name, lookup.recordType ?? "", Units.duration(lookup.duration),
            result(of: lookup), bytes(lookup.bytesUp), bytes(lookup.bytesDown),
            lookup.resolver ?? (lookup.source == .libc ? "C library" : ""), lookup.process.name,
        ]
    }

    private static func result(of lookup: LookupRecord) -> String {
        if let error = lookup.error { return error }
        guard let first = lookup.addresses.first else {
            return lookup.answers == 0 ? "no record" : "\(lookup.answers) record\(lookup.answers == 1 ? "" : "s")"
        }
        return lookup.answers > 1 ? "\(first) and \(lookup.answers - 1) more" : first
    }
}
