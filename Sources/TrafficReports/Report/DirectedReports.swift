package import TextFormats
package import TrafficModel

/// The reports on what was called and on what was served, which are never added up.
package struct DirectedReports: Sendable {
    /// One report for each direction with traffic, that of `called` first; if there is none, one without requests.
    package let all: [TrafficReport]

    /// The report of that direction; nil if there was no such traffic.
    package subscript(_ direction: TrafficDirection) -> TrafficReport? { all.first { $0.direction == direction } }

    /// Whether any report has requests.
    package var hasRequests: Bool { all.contains { $0.totals.requests > 0 } }

    /// The reports of those directions, made one by one.
    ///
    /// - Parameters:
    ///   - directions: the directions with traffic; none is the same as `called` alone.
    ///   - report: makes one report.
    package init(
        of directions: [TrafficDirection], _ report: (TrafficDirection) throws -> TrafficReport
    ) rethrows {
        all = try (directions.isEmpty ? [.called] : directions).map(report)
    }

    /// Reports on sums that were made elsewhere.
    package init(
        of totals: [TrafficTotal], by grouping: TrafficGrouping, losses: [TrafficLoss],
        ledger: (TrafficDirection) -> LedgerCoverage
    ) {
        let directions = TrafficDirection.allCases.filter { direction in
            totals.contains { $0.key.direction == direction } || ledger(direction) != LedgerCoverage()
        }
        self.init(of: directions) {
            TrafficReport(of: totals, by: grouping, direction: $0, losses: losses, ledger: ledger($0))
        }
    }

    /// Whether each report has a heading: only if something was served.
    private var hasHeadings: Bool { self[.served] != nil }

    /// Whether the rows of both reports are one table: each report has one row, its direction.
    private var isOneTable: Bool { all.count > 1 && all.allSatisfy { $0.grouping == .direction } }

    private var rows: [TrafficTotal] { all.flatMap(\.rows) }

    /// The whole that the shares of one table refer to; it is no row, because directions are never added up.
    private var whole: TrafficTotal {
        all.reduce(into: TrafficTotal(key: TrafficTotal.Key())) { $0.merge($1.totals) }
    }

    /// The reports for a terminal, one after the other; one table of both directions, if these are the rows.
    package func table(_ style: TextStyle = TextStyle(), _ view: ReportView = .bytes) -> String {
        if isOneTable {
            return all[0].grid(rows, whole, hasTotals: false, style, view)
                + all.map { "\n" + style.bold($0.heading) + "\n" + $0.noteText(style) }.joined()
        }
        return all.map { (hasHeadings ? style.bold($0.heading) + "\n" : "") + $0.table(style, view) }.joined(
            separator: "\n")
    }

    /// The reports in Markdown, one after the other; one table of both directions, if these are the rows.
    package func markdown(_ view: ReportView = .bytes, _ style: TextStyle = TextStyle()) -> String {
        if isOneTable {
            return all[0].markdownGrid(rows, whole, hasTotals: false, view, style)
                + all.map { "\n## \($0.heading)\n" + $0.markdownNotes }.joined()
        }
        return all.map { (hasHeadings ? "## \($0.heading)\n\n" : "") + $0.markdown(view, style) }.joined(
            separator: "\n")
    }

    /// The rows of all reports as CSV, each with its direction.
    package var csv: String {
        let isEstimated = all.contains(where: \.isEstimated)
        return TrafficReport.csvHeader(all[0].grouping, isEstimated: isEstimated)
            + all.map { $0.csvRows(isEstimated: isEstimated) }.joined()
    }

    /// The first report as one JSON object; if there are two, that of what was served is its member `served`.
    package var json: String { JSONValue.object(members).pretty + "\n" }

    /// The members of that object.
    package var members: [JSONValue.Member] {
        all[0].members + [.init("served", all.count > 1 ? .object(all[1].members) : .null)]
    }
}

extension TrafficReport {
    /// The direction and the number of requests, such as `Served: 40 requests`.
    fileprivate var heading: String {
        let noun = totals.requests == 1 ? "request" : "requests"
        return "\(direction == .called ? "Called" : "Served"): \(Units.count(totals.requests)) \(noun)"
    }
}
