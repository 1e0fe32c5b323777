internal import Clocks
package import TextFormats
internal import TrafficAudit
internal import TrafficExport
package import TrafficModel
internal import TrafficReports

/// A report as one HTML file: sums, the map, the heaviest APIs, the slowest requests, findings and the ledger.
///
/// The file needs no other file, no script and no network, so that it can be attached to a ticket or to a CI run.
package struct SavedPage: Sendable {
    /// How many APIs have a row.
    static let mostAPIs = 100
    private static let columns = [
        "requests", "failed", "up", "down", "total", "per-call", "call-p95", "p50", "p95",
    ]
    /// How many requests are shown as the slowest.
    static let slowest = 10
    /// How many findings are shown.
    static let mostFindings = 20
    /// How many of the newest exchanges are looked at for the slowest ones.
    static let examined = 200_000

    private let reading: any TrafficBrowsing
    /// The range and the direction; what else a filter names, the reading selects.
    private let filter: ExchangeFilter
    private let name: String
    private let zone: ClockZone

    /// A page on the contents of a store.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - filter: the exchanges that count.
    ///   - name: what the title calls the store.
    ///   - zone: the time zone of the times.
    package init(of store: any TrafficBrowsing, _ filter: ExchangeFilter, name: String, in zone: ClockZone) {
        let terms = filter.terms.filter { $0.key != .direction }
        reading = terms.isEmpty ? store : FilteredReading(store, FilterExpression(terms))
        var rest = ExchangeFilter()
        rest.range = filter.range
        rest.direction = filter.direction
        self.filter = rest
        self.name = name
        self.zone = zone
    }

    /// The file's text.
    ///
    /// - Throws: errors of the store.
    package func html() throws -> String {
        let directions = try filter.direction.map { [$0] } ?? reading.directions(in: filter.range)
        let reports = try DirectedReports(of: directions) {
            try TrafficReport(of: reading, by: .api, direction: $0, in: filter.range)
        }
        let audit = try Audit(
            of: reading, in: filter.range, direction: filter.direction, limit: Self.mostFindings)
        var body = [header]
        for report in reports.all {
            if reports.all.count > 1 { body.append(HTML("h2", report.direction == .called ? "Called" : "Served")) }
            body += sums(of: report)
        }
        for report in reports.all where report.totals.bytes > .zero { body += map(of: report, reports.all.count > 1) }
        for report in reports.all where !report.rows.isEmpty { body += apis(of: report, reports.all.count > 1) }
        body += try slowest()
        body += findings(audit)
        body += try ledger()
        let styles = PageAssets.sources["colours.css", default: ""] + PageAssets.sources["saved.css", default: ""]
        let head = """
            <meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">\
            <meta name="color-scheme" content="light dark"><meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'">
            """
        let title = HTML("title", "Traffic of \(name)").markup
        var text =
            "<!doctype html>\n<html lang=\"en\"><head>\(head)\(title)\(HTML(styles: styles).markup)</head>\n<body><main>\n"
        for part in body { text += part.markup + "\n" }
        return text + "</main></body></html>\n"
    }

    // MARK: the parts of the page

    private var header: HTML {
        var lines = [HTML("h1", "Traffic of \(name)")]
        let range = [
            filter.range.since.map { "from \($0.minuteText(in: zone))" },
            filter.range.until.map { "until \($0.minuteText(in: zone))" },
        ].compactMap(\.self)
        let made = "Wireweight \(Producer.version), \(SystemClock.now().minuteText(in: zone)) (\(zone.name))"
        lines.append(HTML("p", ["class": "quiet"], (range + [made]).joined(separator: "; ")))
        return HTML("header", lines)
    }

    private func sums(of report: TrafficReport) -> [HTML] {
        let totals = report.totals
        func figure(_ name: String, _ value: String, _ more: String? = nil, isBad: Bool = false) -> HTML {
            HTML(
                "div",
                [
                    HTML("dt", name),
                    HTML(
                        "dd", ["class": isBad ? "bad" : ""],
                        [HTML(text: value)] + (more.map { [HTML("small", $0)] } ?? [])),
                ])
        }
        let call = totals.perCall.total
        let figures = [
            figure("Requests", Units.count(totals.requests)),
            figure("Up", Units.bytes(totals.up.total)), figure("Down", Units.bytes(totals.down.total)),
            figure("Total", Units.bytes(totals.bytes)),
            figure(
                "Failed", Units.count(totals.failures), totals.failureRate.map(Units.percent),
                isBad: totals.failures > 0),
            figure(
                "One call", call.percentile(0.5).map(Units.bytes) ?? "–",
                call.percentile(0.95).map { "p95 \(Units.bytes($0))" }),
            figure(
                "Time", Units.duration(totals.latency.percentile(0.5)),
                "p95 \(Units.duration(totals.latency.percentile(0.95)))"),
        ]
        let notes = report.notes(in: zone)
        return [HTML("dl", ["class": "figures"], figures)] + notes.map { HTML("p", $0) }
    }

    private func apis(of report: TrafficReport, _ namesDirection: Bool) -> [HTML] {
        let shown = report.rows.prefix(Self.mostAPIs)
        let cells = report.cells(of: Array(shown), in: Self.columns)
        let rows = zip(shown, cells.rows).map { total, cells in
            HTML("tr", [Self.api(total.key)] + cells.map { HTML("td", $0) })
        }
        var parts = [
            HTML("h2", "What each API weighs" + Self.suffix(report, namesDirection)),
            Self.table(["API"] + cells.titles, rows),
        ]
        let left = report.rows.count - shown.count
        if left > 0 {
            parts.append(HTML("p", ["class": "quiet"], "\(Units.count(Int64(left))) more APIs are in the sums."))
        }
        return parts
    }

    private func slowest() throws -> [HTML] {
        var slowest: [StoredExchange] = []
        var seen = 0
        try reading.forEachHead(matching: filter, order: .newestFirst, after: nil) { exchange in
            seen += 1
            if let duration = exchange.duration {
                let isSlow = slowest.count < Self.slowest || duration > slowest.last?.duration ?? 0
                if isSlow {
                    let place = slowest.firstIndex { ($0.duration ?? 0) < duration } ?? slowest.count
                    slowest.insert(exchange, at: place)
                    if slowest.count > Self.slowest { slowest.removeLast() }
                }
            }
            return seen < Self.examined
        }
        guard !slowest.isEmpty else { return [] }
        let rows = slowest.map { exchange in
            let response = exchange.response
            let status = response.flatMap { $0.status > 0 ? "\($0.status)" : nil } ?? "–"
            let request = exchange.request
            return HTML(
                "tr",
                [
                    HTML(
                        "th", ["class": "name", "scope": "row"],
                        [HTML("b", request.method), HTML(text: request.url)]),
                    HTML("td", ["class": exchange.hasFailed ? "bad" : ""], status),
                    HTML("td", Units.duration(exchange.duration)),
                    HTML("td", Units.duration(exchange.end?.timings.wait)),
                    HTML("td", Units.bytes(request.size.known)),
                    HTML("td", response.map { Units.bytes($0.size.known) } ?? "–"),
                    HTML("td", request.startedAt.minuteText(in: zone)), HTML("td", "\(exchange.id.rawValue)"),
                ])
        }
        let place = seen < Self.examined ? "" : ", of the newest \(Units.count(Int64(Self.examined)))"
        return [
            HTML("h2", "The slowest requests\(place)"),
            Self.table(["Request", "Status", "Time", "Wait", "Up", "Down", "Start (\(zone.name))", "Exchange"], rows),
        ]
    }

    private func findings(_ audit: Audit) -> [HTML] {
        guard !audit.findings.isEmpty else { return [] }
        let items = audit.findings.map { finding in
            var saving: [String] = []
            if finding.bytes > 0 { saving.append(Units.bytes(ByteCount(finding.bytes))) }
            if finding.nanoseconds > 0 { saving.append(Units.duration(finding.nanoseconds)) }
            let kind = finding.basis == .estimated ? " (estimated)" : ""
            let title = finding.isAlarm || saving.isEmpty ? "" : "saves \(saving.joined(separator: " and "))\(kind)"
            return HTML(
                "li",
                [
                    HTML("b", ["class": finding.isAlarm ? "bad" : ""], finding.rule), HTML(text: " "),
                    HTML(text: Self.name(of: finding.key)), HTML(text: " "), HTML("small", title),
                    HTML("p", finding.problem), HTML("p", finding.remedy),
                ])
        }
        return [HTML("h2", "What could be saved"), HTML("ol", items)]
    }

    private func ledger() throws -> [HTML] {
        // A filter selects messages; a connection carries all of its messages.
        guard !(reading is FilteredReading) else { return [] }
        var sums = LedgerSums()
        try reading.forEachConnection(order: .oldestFirst, after: nil) { connection in
            let isOfDirection = filter.direction.map { $0 == connection.direction } ?? true
            if isOfDirection && filter.range.contains(connection.openedAt) { sums.add(connection.record) }
            return true
        }
        guard sums.connections > 0 else { return [] }
        func row(_ name: String, _ value: (LedgerSums.Side) -> Int64) -> HTML? {
            let (up, down) = (value(sums.up), value(sums.down))
            guard up != 0 || down != 0 || name == "Unaccounted" else { return nil }
            return HTML(
                "tr",
                [HTML("th", ["class": "name", "scope": "row"], name)]
                    + [up, down].map { HTML("td", Units.count($0)) })
        }
        var rows = [row("Payload by the kernel's count", \.payload), row("Messages", \.messages), row("TLS", \.tls)]
        rows.append(row("HTTP/2's own frames", \.http2))
        for part in ConnectionPart.rare { rows.append(row(part.title) { $0.rare[part] ?? 0 }) }
        rows.append(row("Unaccounted", \.unaccounted))
        var note = "\(Units.count(sums.connections)) connections, \(Units.count(sums.unclosed)) that do not add up"
        if sums.unknown > 0 { note += ", \(Units.count(sums.unknown)) without the kernel's count, which are left out" }
        return [
            HTML("h2", "The bytes of the connections"), HTML("p", note + "."),
            Self.table(["", "Bytes up", "Bytes down"], rows.compactMap(\.self)),
        ]
    }

    // MARK: pieces

    static func suffix(_ report: TrafficReport, _ namesDirection: Bool) -> String {
        namesDirection ? (report.direction == .called ? ", called" : ", served") : ""
    }

    private static func api(_ key: TrafficTotal.Key) -> HTML {
        HTML(
            "th", ["class": "name", "scope": "row"],
            [HTML("b", key.method ?? ""), HTML(text: key.template ?? ""), HTML("small", key.host ?? "")])
    }

    /// The API's name in one line.
    static func name(of key: TrafficTotal.Key) -> String {
        [key.method, key.host.map { $0 + (key.template ?? "") }].compactMap(\.self).joined(separator: " ")
    }

    private static func table(_ titles: [String], _ rows: [HTML]) -> HTML {
        let names = titles.enumerated().map { index, title in
            HTML("th", ["scope": "col", "class": index == 0 ? "name" : ""], title)
        }
        return HTML(
            "div", ["class": "wide"],
            [HTML("table", [HTML("thead", [HTML("tr", names)]), HTML("tbody", rows)])])
    }
}
