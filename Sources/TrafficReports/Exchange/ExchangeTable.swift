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
    ///   - hasDirections: whether there is a column for the direction.
    package init(
        _ style: TextStyle = TextStyle(), measuring first: [StoredExchange] = [], hasDirections: Bool = false
    ) {
        let longest = first.map { TerminalText.width(Self.url(of: $0)) }.max() ?? style.width
        var columns: [(TableLayout.Column, Int)] = [
            (TableLayout.Column(title: "Exchange", isNumber: true), 8),
            (TableLayout.Column(title: "Time (UTC)", dropOrder: 12), 12),
            (TableLayout.Column(title: "Method"), 7),
            (TableLayout.Column(title: "Status", isNumber: true), 6),
            (TableLayout.Column(title: "URL", least: 12, comfort: 24), max(12, min(longest, style.width))),
            (TableLayout.Column(title: "Type", dropOrder: 13), 16),
            (TableLayout.Column(title: "Up", isNumber: true, dropOrder: 10), 9),
            (TableLayout.Column(title: "Down", isNumber: true), 9),
            (TableLayout.Column(title: "Duration", isNumber: true, dropOrder: 5), 10),
            (TableLayout.Column(title: "Outcome", dropOrder: 11), 9),
        ]
        if hasDirections { columns.append((TableLayout.Column(title: "Direction"), 9)) }
        self.hasDirections = hasDirections
        self.style = style
        layout = TableLayout(columns.map(\.0), naturalWidths: columns.map(\.1), fitting: style.width)
    }

    /// The row of titles, without a line end.
    package var header: String { style.bold(layout.header) }

    /// The row of one exchange, without a line end.
    package func line(_ exchange: StoredExchange) -> String {
        let request = exchange.request
        let response = exchange.response
        let isBad = exchange.hasFailed
        let cells =
            [
                exchange.id.description,
                request.startedAt.timeOfDay,
                request.method.isEmpty ? "–" : TerminalText.escaped(request.method),
                response.flatMap { $0.status > 0 ? String($0.status) : nil } ?? "–",
                Self.url(of: exchange),
                TerminalText.escaped(response?.contentType ?? ""),
                Self.size(request.size),
                response.map { Self.size($0.size) } ?? "–",
                Units.duration(exchange.duration),
                Self.mark(of: exchange.end?.outcome),
            ] + (hasDirections ? [request.direction.rawValue] : [])
        return layout.line(cells, growing: Self.urlColumn) { index, cell in
            isBad && (index == 3 || index == Self.outcomeColumn) ? style.red(cell) : cell
        }
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
