import TrafficModel

extension TrafficReport {
    /// The rows as CSV (RFC 4180) under the names of the JSON format; without the totals, which a reader can add up.
    package var csv: String {
        let partNames = ["StartLine", "Fields", "Cookies", "Interim", "Body", "Framing"]
        let header =
            grouping.keyColumns.map(\.name) + ["requests", "responses", "unanswered", "failures", "up", "down"]
            + partNames.map { "up\($0)" } + partNames.map { "down\($0)" }
            + ["captured", "p50Ms", "p90Ms", "p95Ms", "p99Ms"]
        var text = CSVLine.text(of: header)
        for row in rows { text += CSVLine.text(of: csvCells(of: row, key: row.key)) }
        return text
    }

    private func csvCells(of row: TrafficTotal, key: TrafficTotal.Key) -> [String] {
        let counts = [row.requests, row.responses, row.unanswered, row.failures].map { String($0) }
        let directions = [row.up, row.down]
        let parts = directions.flatMap { [$0.startLine, $0.fields, $0.cookies, $0.interim, $0.body, $0.framing] }
        let latency = [0.5, 0.9, 0.95, 0.99].map { share -> String in
            row.latency.percentile(share).map { JSONValue.milliseconds($0).compact } ?? ""
        }
        return grouping.keyColumns.map { $0.text(key) } + counts + directions.map(\.total.description)
            + parts.map(\.description) + [JSONValue.share(row.capturedShare).compact] + latency
    }

    /// A table in GitHub's Markdown, the totals at its end.
    package var markdown: String {
        let keys = grouping.keyColumns
        let numbers = ["Requests", "Failed", "Up", "Down", "p50", "p95", "Captured"]
        var text = "| " + (keys.map(\.title) + numbers).joined(separator: " | ") + " |\n"
        text += "|" + keys.map { _ in " --- |" }.joined() + numbers.map { _ in " ---: |" }.joined() + "\n"
        func line(_ names: [String], _ row: TrafficTotal) -> String {
            let cells =
                names + [
                    Units.count(row.requests), Units.count(row.failures), Units.bytes(row.up.total),
                    Units.bytes(row.down.total), Units.duration(row.latency.percentile(0.5)),
                    Units.duration(row.latency.percentile(0.95)), Units.percent(row.capturedShare),
                ]
            return "| " + cells.joined(separator: " | ") + " |\n"
        }
        let blanks = Array(repeating: "", count: keys.count - 1)
        for row in rows { text += line(keys.map { MarkdownText.escaped(displayName($0.text(row.key))) }, row) }
        if let remainder { text += line(blanks + [remainderName], remainder) }
        text += line(blanks + ["**Total**"], totals)
        return text
    }
}
