import TextFormats
import TrafficModel

/// The APIs of a running program as a short table, the heaviest first.
struct LiveTable {
    private let totals: [TrafficTotal]
    private let hasDirections: Bool

    init(_ totals: [TrafficTotal]) {
        self.totals = totals.sorted {
            ($1.bytes, $0.key.template ?? "", $0.key.host ?? "") < ($0.bytes, $1.key.template ?? "", $1.key.host ?? "")
        }
        hasDirections = totals.contains { $0.key.direction == .served }
    }

    /// The titles and the rows that fit into a number of lines.
    func lines(_ count: Int, width: Int) -> [String] {
        let shown = totals.prefix(max(0, count - 1))
        guard count > 1, !shown.isEmpty else { return [] }
        typealias Column = TableLayout.Column
        let columns = [
            Column(title: "API", least: 10), Column(title: "Requests", isNumber: true, dropOrder: 1),
            Column(title: "Failed", isNumber: true, dropOrder: 3), Column(title: "Up", isNumber: true),
            Column(title: "Down", isNumber: true), Column(title: "p95", isNumber: true, dropOrder: 2),
        ]
        let rows = shown.map { total in
            [
                TerminalText.escaped(name(of: total.key)), Units.count(total.requests),
                total.failures == 0 ? "–" : Units.count(total.failures), Units.bytes(total.up.total),
                Units.bytes(total.down.total), Units.duration(total.latency.percentile(0.95)),
            ]
        }
        let widths = columns.indices.map { column in rows.map { TerminalText.width($0[column]) }.max() ?? 0 }
        let layout = TableLayout(columns, naturalWidths: widths, fitting: width)
        return [layout.header] + rows.map { layout.line($0) }
    }

    private func name(of key: TrafficTotal.Key) -> String {
        let parts = [hasDirections ? key.direction.rawValue : nil, key.method, key.host, key.template]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
