import TextFormats
import TrafficModel

extension BudgetCheck {
    /// The check as a comment for a pull request, in GitHub's Markdown.
    package var markdown: String {
        var text = "### Traffic budget: \(isPassed ? "kept" : "breached")\n\n\(conclusion)\n"
        let shown = rows.filter { $0.verdict != .same }
        if !shown.isEmpty {
            text += "\n"
            text += MarkdownTable.header(["Verdict", "API", "Requests", "Up", "Down", "Bytes"], numbers: 4)
            for row in shown {
                let verdict = row.verdict.rawValue
                let cells = [
                    row.api.name, row.passage(.requests), row.passage(.up), row.passage(.down), row.change,
                ]
                let mark = row.isBreach ? "**\(verdict)**" : verdict
                text += MarkdownTable.row([mark] + cells.map { MarkdownText.escaped($0) })
            }
        }
        let explained = breaches.filter { !$0.reasons.isEmpty }
        if !explained.isEmpty {
            text += "\n"
            for row in explained {
                text += "- \(MarkdownText.escaped(row.api.name))\n" + row.reasons.map { "  - \($0)\n" }.joined()
            }
        }
        for note in notes + (warning.map { [$0] } ?? []) { text += "\n\(MarkdownText.escaped(note))\n" }
        return text
    }

    /// The APIs as CSV (RFC 4180), under the names of the JSON format; new columns are appended.
    package var csv: String { CSVTable.text(Self.csvMembers, of: rows.map(\.value)) }

    private static let csvMembers =
        ["verdict", "breach", "method", "host", "template", "direction", "tolerance", "exceeded"]
        + Figure.allCases.flatMap { figure in ["budget", "limit", "run"].map { "\(figure.rawValue).\($0)" } } + [
            "exact"
        ]

    /// The check as JSON for programs; members are added, never renamed.
    package var json: String {
        let value = JSONValue.object([
            .init("passed", .bool(isPassed)),
            .init("emptyRun", .bool(isEmptyRun)),
            .init("breaches", .integer(Int64(breaches.count))),
            .init("apis", .array(rows.map(\.value))),
            .init(
                "losses",
                .object(losses.map { JSONValue.Member($0.reason.rawValue, .integer($0.count)) })),
        ])
        return value.pretty + "\n"
    }
}

extension BudgetCheck.Row {
    fileprivate var value: JSONValue {
        .object(
            [
                .init("method", .string(api.method)), .init("host", .string(api.host)),
                .init("template", .string(api.template)),
                .init("direction", .string(api.direction.rawValue)), .init("verdict", .string(verdict.rawValue)),
                .init("breach", .bool(isBreach)), .init("tolerance", .string(tolerance.description)),
                .init("exceeded", .array(exceeded.map { .string($0.rawValue) })),
            ]
                + BudgetCheck.Figure.allCases.map { figure in
                    let before = budget.flatMap { figure.value(of: $0) }
                    return .init(
                        figure.rawValue,
                        .object([
                            .init("budget", before.map { .integer($0) } ?? .null),
                            .init("limit", limit(of: figure).map { .integer($0) } ?? .null),
                            .init("run", run.flatMap { figure.value(of: $0) }.map { .integer($0) } ?? .null),
                        ]))
                }
                + [
                    .init("exact", .bool(budget?.isExact != false && run?.isExact != false)),
                    .init("parts", .object([.init("budget", parts(budget)), .init("run", parts(run))])),
                ])
    }

    private func parts(_ budget: Budget?) -> JSONValue {
        guard let budget else { return .null }
        return .object([.init("up", budget.up.json), .init("down", budget.down.json)])
    }
}
