package import TextFormats
package import TrafficModel

extension TrafficReport {
    /// The rows as CSV (RFC 4180) under the names of the JSON format.
    ///
    /// The last row is the sum of the rows beyond the limit, if there are any; its name is in the last column of the
    /// name. The totals are left out, because a reader can add them up.
    package var csv: String { Self.csvHeader(grouping, isEstimated: isEstimated) + csvRows(isEstimated: isEstimated) }

    /// Whether the sums are estimates; then three more columns say how far they may be off.
    var isEstimated: Bool { totals.error != nil }

    /// The names of the columns as a line of CSV; new ones are appended.
    static func csvHeader(_ grouping: TrafficGrouping, isEstimated: Bool) -> String {
        let partNames = ["StartLine", "Fields", "Cookies", "Interim", "Body", "Framing"]
        func names(of phases: [PhaseColumns]) -> [String] {
            phases.flatMap { phase in Percentile.allCases.map { "\(phase.name)P\($0.name.dropFirst())Ms" } }
        }
        let phases = phaseColumns(of: PhaseLatencies())
        let header =
            grouping.keyColumns.map(\.name) + ["requests", "responses", "unanswered", "failures", "up", "down"]
            + partNames.map { "up\($0)" } + partNames.map { "down\($0)" } + ["captured"]
            + Percentile.allCases.map { "\($0.name)Ms" }
            + ["headers", "cookies", "encodedBody", "decodedBody", "compression", "notModified"]
            + ["newConnections", "reusedConnections", "reuse"]
            + names(of: phases.first)
            + ["firstSeen", "lastSeen", "overheadUp", "overheadDown", "ipBytesUpEstimated", "ipBytesDownEstimated"]
            + ["failureRate", "incomplete", "unknownUp", "unknownDown"] + names(of: phases.added)
            + (grouping == .direction ? [] : ["direction"]) + ["total"] + CallWeights().csvColumns.map(\.name)
            + (isEstimated ? ["counted", "requestsError", "bytesError"] : [])
        return CSVLine.text(of: header)
    }

    /// The rows as lines of CSV.
    func csvRows(isEstimated: Bool) -> String {
        func line(_ row: TrafficTotal, _ name: [String]) -> String {
            let errors = [row.error?.counted, row.error?.requests, row.error?.bytes.bytes]
                .map { $0.map(String.init) ?? "" }
            return CSVLine.text(of: csvCells(of: row, name: name) + (isEstimated ? errors : []))
        }
        var text = ""
        for row in rows { text += line(row, grouping.keyColumns.map { $0.text(row.key) }) }
        if let remainder { text += line(remainder, blanks + [remainderName]) }
        return text
    }

    private typealias PhaseColumns = (name: String, histogram: LatencyHistogram)

    /// The phases whose columns were there first, and those whose columns were appended later.
    private static func phaseColumns(of phases: PhaseLatencies) -> (first: [PhaseColumns], added: [PhaseColumns]) {
        let added: Set = ["queue", "send", "unattributed"]
        return (phases.named.filter { !added.contains($0.name) }, phases.named.filter { added.contains($0.name) })
    }

    /// The empty cells before the name of a row that is no group.
    var blanks: [String] { Array(repeating: "", count: grouping.keyColumns.count - 1) }

    private func csvCells(of row: TrafficTotal, name: [String]) -> [String] {
        let counts = [row.requests, row.responses, row.unanswered, row.failures].map { String($0) }
        let phases = Self.phaseColumns(of: row.phases)
        let directions = [row.up, row.down]
        let parts = directions.flatMap { [$0.startLine, $0.fields, $0.cookies, $0.interim, $0.body, $0.framing] }
        func share(_ share: Double?) -> String { share.map { JSONValue.share($0).compact } ?? "" }
        func percentiles(_ histogram: LatencyHistogram) -> [String] {
            Percentile.allCases.map { percentile in
                histogram.percentile(percentile.share).map { JSONValue.milliseconds($0).compact } ?? ""
            }
        }
        return name + counts + directions.map(\.total.description)
            + parts.map(\.description) + [share(row.capturedShare)] + percentiles(row.latency)
            + [share(row.headerShare), share(row.cookieShare), row.encodedBody.description]
            + [row.decodedBody.description, share(row.compressionRatio), String(row.notModified)]
            + [String(row.newConnections), String(row.reusedConnections), share(row.reuseShare)]
            + phases.first.flatMap { percentiles($0.histogram) }
            + [row.firstSeen?.iso8601 ?? "", row.lastSeen?.iso8601 ?? ""]
            + [row.sharing == 0 ? nil : row.overhead, row.packets].flatMap { [$0?.up, $0?.down] }
            .map { $0?.description ?? "" }
            + [share(row.failureRate)] + [row.incomplete, row.up.unknown, row.down.unknown].map { String($0) }
            + phases.added.flatMap { percentiles($0.histogram) }
            + (grouping == .direction ? [] : [direction.rawValue])
            + [row.bytes.description] + row.perCall.csvColumns.map(\.cell)
    }

    /// The report as a table in GitHub's Markdown, with the totals at its end.
    package func markdown(_ view: ReportView = .bytes, _ style: TextStyle = TextStyle()) -> String {
        markdownGrid(rows, totals, hasTotals: true, view, style) + markdownNotes
    }

    /// Columns of numbers for a page: their titles, and the texts of each row.
    ///
    /// - Parameters:
    ///   - rows: the groups.
    ///   - names: the columns, by the names of ``ReportView/columnNames``.
    /// - Returns: one title and, in each row, one text for each column.
    package func cells(of rows: [TrafficTotal], in names: [String]) -> (titles: [String], rows: [[String]]) {
        let columns = ReportView.bytes.markdownColumns(of: totals, in: TextStyle(columns: names))
        return (columns.map(\.title), rows.map { row in columns.map { $0.text(row) } })
    }

    /// The rows of a Markdown table: see ``grid(_:_:hasTotals:_:_:)``.
    func markdownGrid(
        _ rows: [TrafficTotal], _ totals: TrafficTotal, hasTotals: Bool, _ view: ReportView,
        _ style: TextStyle
    ) -> String {
        let keys = grouping.keyColumns
        let numbers = view.markdownColumns(of: totals, in: style)
        var text = "| " + (keys.map(\.title) + numbers.map(\.title)).joined(separator: " | ") + " |\n"
        text += "|" + keys.map { _ in " --- |" }.joined() + numbers.map { _ in " ---: |" }.joined() + "\n"
        func line(_ names: [String], _ row: TrafficTotal) -> String {
            "| " + (names + numbers.map { $0.text(row) }).joined(separator: " | ") + " |\n"
        }
        for row in rows { text += line(keys.map { MarkdownText.escaped(displayName($0.text(row.key))) }, row) }
        if let remainder { text += line(blanks + [remainderName], remainder) }
        if hasTotals { text += line(blanks + ["**Total**"], totals) }
        return text
    }

    /// The notes below a Markdown table, each a paragraph.
    var markdownNotes: String {
        let notes =
            completeness.sentences.map { Optional($0.english) }
            + [besideNote, rowsNote, selection?.sentence(totals.requests, in: .utc)]
        return notes.compactMap(\.self).map { "\n\($0)\n" }.joined()
    }
}
