package import TextFormats
package import TrafficModel

/// Formats exchanges as lines of a table, one at a time; widths depend on the first rows only, so any number can
/// stream.
package struct ExchangeTable: Sendable {
    private let layout: TableLayout
    private let style: TextStyle
    private let hasDirections: Bool

    private static let outcomeColumn = 9

    private static let urlColumn = 4
    /// The number of rows that are examined for the width of the URLs.
    package static let measured = 200

    /// Creates a table for a terminal, with room for URLs as long as those of the first rows.
    ///
    /// - Parameters:
    ///   - style: the style of the text.
    ///   - first: the rows whose URLs are measured.
    ///   - isAll: whether no row comes later.
    ///   - hasDirections: whether there is a column for the direction.
    package init(
        _ style: TextStyle = TextStyle(), measuring first: [StoredExchange] = [], isAll: Bool = false,
        hasDirections: Bool = false
    ) {
        let isUnknown = first.isEmpty && !isAll
        let isEmpty = first.isEmpty && isAll
        let longest = first.map { TerminalText.width(Self.url(of: $0)) }.max() ?? (isAll ? 0 : style.width)
        func widest(_ cell: Int, _ most: Int) -> Int {
            // Rows that come later may be wider, so there is room for the usual ones.
            max(first.map { TerminalText.width(Self.cells(of: $0, style.zone)[cell]) }.max() ?? 0, isEmpty ? 0 : most)
        }
        self.hasDirections = hasDirections
        self.style = style
        let columns = Self.columns(style.zone, hasDirections: hasDirections || style.columns != nil)
        layout = TableLayout(
            columns,
            naturalWidths: [
                8, 12, widest(2, isUnknown ? 7 : 6), 6, max(isEmpty ? 0 : 12, min(longest, style.width)),
                widest(5, isUnknown ? 16 : 0), widest(6, isUnknown ? 9 : 8), widest(7, isUnknown ? 9 : 8),
                widest(8, isUnknown ? 10 : 8), widest(Self.outcomeColumn, 9), 9,
            ].prefix(columns.count).map(\.self), fitting: style.width, choosing: style.columns)
    }

    private static func columns(_ zone: ClockZone, hasDirections: Bool) -> [TableLayout.Column] {
        typealias Column = TableLayout.Column
        return [
            Column(title: "Exchange", isNumber: true), Column(title: "Time (\(zone.name))", dropOrder: 12),
            Column(title: "Method"), Column(title: "Status", isNumber: true),
            Column(title: "URL", least: 12, comfort: 22), Column(title: "Type", dropOrder: 13),
            Column(title: "Up", isNumber: true, dropOrder: 10), Column(title: "Down", isNumber: true),
            Column(title: "Duration", isNumber: true, dropOrder: 5), Column(title: "Outcome", dropOrder: 11),
        ] + (hasDirections ? [Column(title: "Direction")] : [])
    }

    /// The names of all columns, for the option that chooses among them.
    package static var columnNames: [String] { TableLayout.choices(of: columns(.utc, hasDirections: true)) }

    /// The titles of a Markdown table, and the rule below them.
    package static func markdownHeader(_ style: TextStyle, hasDirections: Bool) -> String {
        let columns = columns(style.zone, hasDirections: hasDirections || style.columns != nil)
        let shown = TableLayout.order(of: columns, choosing: style.columns).map { columns[$0] }
        return MarkdownTable.row(shown.map(\.title)) + "|"
            + shown.map { $0.isNumber ? " ---: |" : " --- |" }.joined() + "\n"
    }

    /// The row of one exchange in Markdown.
    package static func markdownRow(_ exchange: StoredExchange, _ style: TextStyle, hasDirections: Bool) -> String {
        let columns = columns(style.zone, hasDirections: hasDirections || style.columns != nil)
        let cells = cells(of: exchange, style.zone)
        return MarkdownTable.row(
            TableLayout.order(of: columns, choosing: style.columns).map { MarkdownText.escaped(cells[$0]) })
    }

    /// The row of titles, without a line end.
    package var header: String { style.bold(layout.header) }

    /// What follows the rows, with line ends: the columns that did not fit.
    package var footer: String { style.hiddenNote(layout.hidden) }

    /// The row of one exchange, without a line end.
    package func line(_ exchange: StoredExchange) -> String {
        let isBad = exchange.hasFailed
        let cells = Self.cells(of: exchange, style.zone).map { TerminalText.escaped($0) }
        return layout.line(cells, growing: Self.urlColumn) { index, cell in
            isBad && (index == 3 || index == Self.outcomeColumn) ? style.red(cell) : cell
        }
    }

    /// The cells of all columns, as they are in the exchange.
    private static func cells(of exchange: StoredExchange, _ zone: ClockZone) -> [String] {
        let request = exchange.request
        let response = exchange.response
        return [
            exchange.id.description,
            request.startedAt.timeOfDay(in: zone),
            request.method.isEmpty ? "–" : request.method,
            response.flatMap { $0.status > 0 ? String($0.status) : nil } ?? "–",
            request.url,
            response?.contentType ?? "",
            size(request.size),
            response.map { size($0.size) } ?? "–",
            Units.duration(exchange.duration),
            mark(of: exchange.end?.outcome),
            request.direction.rawValue,
        ]
    }

    private static func url(of exchange: StoredExchange) -> String { TerminalText.escaped(exchange.request.url) }

    /// The outcome in one short word.
    static func mark(of outcome: ExchangeEnd.Outcome?) -> String {
        guard let outcome else { return "running" }
        if let failure = outcome.failure { return failure.code == 0 ? "failed" : "failed \(failure.code)" }
        return outcome == .timedOut ? "timed out" : outcome.name
    }

    /// The sum of the known parts; a tilde means that not all of it was captured.
    private static func size(_ size: WireSize) -> String {
        if size.evidence == .unknown && size.known == 0 { return "?" }
        return (size.evidence < .captured ? "~" : "") + Units.bytes(size.known)
    }
}
