package import TextFormats
package import TrafficModel

extension TrafficDiff {
    /// The comparison for a terminal.
    package func table(_ style: TextStyle = TextStyle()) -> String {
        var text = ""
        if rows.isEmpty {
            text += "No requests in either run.\n"
        } else {
            let cells = rows.map { row in
                ([row.api.methodText, row.api.host, row.api.template] + row.figures).map { TerminalText.escaped($0) }
            }
            let widths = Self.columns.indices.map { index in cells.map { TerminalText.width($0[index]) }.max() ?? 0 }
            let layout = TableLayout(
                Self.columns, naturalWidths: widths, fitting: style.width, choosing: style.columns)
            text += style.bold(layout.header) + "\n"
            let last = Self.columns.count - 1
            let weight = Self.columns.firstIndex { $0.title == "One call" }
            for (row, cells) in zip(rows, cells) {
                let isWorse = [last: row.finding == .slower, weight ?? -1: row.weightFinding == .heavier]
                text += layout.line(cells) { isWorse[$0] == true ? style.red($1) : $1 } + "\n"
            }
            text += style.hiddenNote(layout.hidden) + "\n"
        }
        for note in notes { text += TerminalText.wrapped(note, to: style.width).map { $0 + "\n" }.joined() }
        if let warning {
            text += TerminalText.wrapped(warning, to: style.width).map { style.yellow($0) + "\n" }.joined()
        }
        return text + style.bold(conclusion) + "\n"
    }

    /// The names of all columns, for the option that chooses among them.
    package static var columnNames: [String] { TableLayout.choices(of: columns) }

    private static let columns = [
        TableLayout.Column(title: "Method", isKey: true),
        TableLayout.Column(title: "Host", least: 10, comfort: 16, dropOrder: 5, isKey: true),
        TableLayout.Column(title: "API", least: 16, comfort: 30, isKey: true),
        TableLayout.Column(title: "Requests", isNumber: true, dropOrder: 10),
        TableLayout.Column(title: "Up", isNumber: true, dropOrder: 12),
        TableLayout.Column(title: "Down", isNumber: true, dropOrder: 11),
        TableLayout.Column(title: "A request", isNumber: true),
        TableLayout.Column(title: "Change", isNumber: true),
        TableLayout.Column(title: "Call p50", isNumber: true, dropOrder: 14),
        TableLayout.Column(title: "Call p95", isNumber: true, dropOrder: 15),
        TableLayout.Column(title: "Call max", isNumber: true, dropOrder: 16),
        TableLayout.Column(title: "One call", dropOrder: 8),
        TableLayout.Column(title: "p50", isNumber: true, dropOrder: 9),
        TableLayout.Column(title: "p95", isNumber: true, dropOrder: 13),
        TableLayout.Column(title: "Latency"),
    ]

    /// The comparison as a comment for a pull request, in GitHub's Markdown.
    package var markdown: String { markdown(choosing: nil) }

    /// The same with these columns, in this order; nil for all.
    package func markdown(choosing names: [String]?) -> String {
        var text = "### Traffic of two runs\n\n\(conclusion)\n"
        if !rows.isEmpty {
            text += "\n"
            let figures = Self.columns.filter { !$0.isKey }
            let order = TableLayout.order(of: figures, choosing: names)
            text += MarkdownTable.header(["API"] + order.map { figures[$0].title }, numbers: order.count)
            for row in rows {
                let cells = row.figures
                text += MarkdownTable.row(([row.api.name] + order.map { cells[$0] }).map { MarkdownText.escaped($0) })
            }
        }
        for note in notes + (warning.map { [$0] } ?? []) { text += "\n\(MarkdownText.escaped(note))\n" }
        return text
    }

    /// The rows as CSV (RFC 4180), under the names of the JSON format; new columns are appended.
    package var csv: String { CSVTable.text(Self.csvMembers, of: rows.map(\.value)) }

    private static let csvMembers: [String] = {
        let judged = ["finding", "ratio", "low", "high", "chance", "correctedChance"]
        let sums =
            ["requests", "responses", "failures", "failureRate", "up", "down", "captured"]
            + ["p50", "p95", "max"].map { "perCall.total.\($0)" }
            + ["p50", "p90", "p95", "p99"].map { "latency.\($0)" }
        // New ones are appended.
        let ways = ["up", "down"].flatMap { way in ["p50", "p95", "max"].map { "perCall.\(way).\($0)" } }
        return ["method", "host", "template", "direction", "change", "changePerRequest"]
            + ["before", "after"].flatMap { run in sums.map { "\(run).\($0)" } }
            + ["perCall", "latency"].flatMap { figure in judged.map { "\(figure).\($0)" } }
            + ["before", "after"].flatMap { run in ways.map { "\(run).\($0)" } }
    }()

    /// The comparison as JSON for programs; members are added, never renamed.
    package var json: String {
        let value = JSONValue.object([
            .init("apis", .array(rows.map(\.value))),
            .init("more", .integer(Int64(remainingRows))),
            .init("compared", .integer(Int64(compared))),
            .init("weighed", .integer(Int64(weighed))),
            .init("level", .number(String(LatencyComparison.level))),
            .init(
                "totals", .object(totals[0].members)),
            .init("servedTotals", totals.count > 1 ? .object(totals[1].members) : .null),
        ])
        return value.pretty + "\n"
    }
}

extension TrafficDiff {
    /// Two APIs of one run as JSON: the second is compared with the first as a later run with an earlier one.
    ///
    /// - Parameters:
    ///   - first: the sums of the first API; nil if there are none.
    ///   - second: those of the second.
    /// - Returns: the names of both, their sums, and what can be claimed about the difference.
    package static func pair(_ first: TrafficTotal?, _ second: TrafficTotal?) -> JSONValue {
        var renamed = first
        if let second { renamed?.key = second.key }
        let rows = TrafficDiff(renamed.map { [$0] } ?? [], second.map { [$0] } ?? []).rows
        func value(_ total: TrafficTotal?) -> JSONValue {
            total.map { .object(Row.members(of: Budget.API($0.key)) + Row.members(of: $0)) } ?? .null
        }
        return .object([.init("a", value(first)), .init("b", value(second))] + (rows.first?.findings ?? []))
    }
}

extension TrafficDiff.Totals {
    fileprivate var members: [JSONValue.Member] {
        [
            .init("direction", .string(direction.rawValue)), .init("before", TrafficDiff.Row.value(before)),
            .init("after", TrafficDiff.Row.value(after)),
        ]
    }
}

extension TrafficDiff.Row {
    /// The cells of the columns that do not name the row.
    fileprivate var figures: [String] {
        [
            requests, bytes(\.up), bytes(\.down), bytesPerRequest, changeText, weight(0.5), weight(0.95), weight(1),
            weightFindingText, duration(0.5), duration(0.95), findingText,
        ]
    }

    fileprivate var value: JSONValue {
        .object(
            Self.members(of: api) + [
                .init("change", .integer(change)),
                .init("changePerRequest", changePerRequest.map { .number(String($0)) } ?? .null),
            ] + findings + [
                .init("before", before.map(Self.value) ?? .null), .init("after", after.map(Self.value) ?? .null),
            ])
    }

    /// What can be claimed about the differences.
    fileprivate var findings: [JSONValue.Member] {
        [
            .init("perCall", Self.value(weightFinding, weight, correctedWeightChance)),
            .init("latency", Self.value(finding, latency, correctedChance)),
        ]
    }

    fileprivate static func members(of api: Budget.API) -> [JSONValue.Member] {
        [
            .init("method", .string(api.method)), .init("host", .string(api.host)),
            .init("template", .string(api.template)), .init("direction", .string(api.direction.rawValue)),
        ]
    }

    private static func value(
        _ finding: LatencyComparison.Finding?, _ comparison: LatencyComparison?, _ correctedChance: Double?
    ) -> JSONValue {
        .object([
            .init("finding", finding.map { .string($0.rawValue) } ?? .null),
            .init("ratio", number(comparison?.ratio)),
            .init("low", number(comparison?.interval?.lowerBound)),
            .init("high", number(comparison?.interval?.upperBound)),
            .init("chance", number(comparison.flatMap { $0.isEnough ? $0.chance : nil })),
            .init("correctedChance", number(correctedChance)),
        ])
    }

    fileprivate static func value(_ total: TrafficTotal) -> JSONValue { .object(members(of: total)) }

    fileprivate static func members(of total: TrafficTotal) -> [JSONValue.Member] {
        [
            .init("requests", .integer(total.requests)), .init("responses", .integer(total.responses)),
            .init("failures", .integer(total.failures)),
            .init("failureRate", total.failureRate.map { .share($0) } ?? .null),
            .init("up", .integer(total.up.total.bytes)),
            .init("down", .integer(total.down.total.bytes)),
            .init("perCall", total.perCall.json),
            .init("parts", .object([.init("up", total.up.json), .init("down", total.down.json)])),
            .init("captured", .share(total.capturedShare)),
            .init(
                "latency",
                .object(
                    [("p50", 0.5), ("p90", 0.9), ("p95", 0.95), ("p99", 0.99)].map { name, share in
                        .init(name, .milliseconds(total.latency.percentile(share)))
                    })),
        ]
    }

    private static func number(_ value: Double?) -> JSONValue { value.map { .number(String($0)) } ?? .null }
}
