import TextFormats
package import TrafficModel

/// The columns of a report.
package enum ReportView: String, Sendable, CaseIterable {
    /// Counts, bytes and whole durations.
    case bytes
    /// The phases of the durations.
    case latency
    /// What single calls weigh: median, 95th percentile and largest, of both directions and of each.
    case calls

    /// A column of numbers.
    struct Column {
        let column: TableLayout.Column
        let text: (TrafficTotal) -> String

        var title: String { column.title }

        init(_ title: String, dropOrder: Int? = nil, _ text: @escaping (TrafficTotal) -> String) {
            column = TableLayout.Column(title: title, isNumber: true, dropOrder: dropOrder)
            self.text = text
        }
    }

    /// The names of all columns that a table by that grouping can have, for the option that chooses among them.
    package static func columnNames(by grouping: TrafficGrouping) -> [String] {
        TableLayout.choices(of: grouping.keyColumns.map { TableLayout.Column(title: $0.title) }) + columnNames
    }

    /// The names of the columns of figures, which a table can have by any grouping.
    package static var columnNames: [String] {
        let nothing = TrafficTotal(key: TrafficTotal.Key())
        return TableLayout.choices(of: allColumns(of: nothing, .utc).map(\.column))
    }

    private static func allColumns(of totals: TrafficTotal, _ zone: ClockZone) -> [Column] {
        allCases.flatMap { $0.columns(of: totals, zone, hasAll: true) }
    }

    /// The columns of a table in a style, which may choose among those of all views.
    func tableColumns(of totals: TrafficTotal, in style: TextStyle) -> [Column] {
        style.columns == nil
            ? columns(of: totals, style.zone, hasAll: false) : Self.allColumns(of: totals, style.zone)
    }

    /// The columns of a table on a terminal; if there is no room, those with the greatest drop order are dropped first.
    ///
    /// - Parameters:
    ///   - totals: the whole that shares refer to.
    ///   - zone: the time zone of times.
    ///   - hasAll: whether columns without any figure are there, too.
    /// - Returns: the columns, from left to right.
    private func columns(of totals: TrafficTotal, _ zone: ClockZone, hasAll: Bool) -> [Column] {
        switch self {
        case .bytes:
            [
                Column("Requests", dropOrder: 4) { Self.requests($0) },
                Column("Failed", dropOrder: 6) { $0.failures == 0 ? "–" : Units.count($0.failures) },
                Column("Fail %", dropOrder: 17) { Self.share($0.failureRate) },
                Column("Up", dropOrder: 9) { Self.size($0.up) },
                Column("Down", dropOrder: 8) { Self.size($0.down) },
                Column("Total") { Self.size($0.sums) + Self.error($0) },
                Column("Per call", dropOrder: 5) { Self.weight($0, 0.5) },
                Column("Call p95", dropOrder: 13) { Self.weight($0, 0.95) },
            ] + Self.beside(totals, hasAll: hasAll) + [
                Column("Share", dropOrder: 14) { row in
                    let all = totals.bytes.bytes
                    return Units.percent(all == 0 ? 0 : Double(row.bytes.bytes) / Double(all))
                },
                Column("p50", dropOrder: 12) { Units.duration($0.latency.percentile(0.5)) },
                Column("p95", dropOrder: 11) { Units.duration($0.latency.percentile(0.95)) },
                Column("p99", dropOrder: 15) { Units.duration($0.latency.percentile(0.99)) },
            ] + Self.figures(dropOrder: 18, zone)
        case .latency:
            [Column("Requests", dropOrder: 4) { Self.requests($0) }]
                + Self.latencies { phase, percentile in
                    // The total and the wait stay longest; p50 and p95 stay longer than the other percentiles.
                    let isRare = percentile == .p90 || percentile == .p99
                    return (isRare ? 30 : 10) + phase * 2 + (percentile == .p95 || percentile == .p99 ? 0 : 1)
                }
        case .calls: [Column("Requests", dropOrder: 4) { Self.requests($0) }] + Self.callColumns
        }
    }

    /// The columns of a Markdown table, whose width is not limited.
    func markdownColumns(of totals: TrafficTotal, in style: TextStyle) -> [Column] {
        if let names = style.columns {
            let all = Self.allColumns(of: totals, style.zone)
            return names.compactMap { name in all.first { $0.column.name == name } }
        }
        return switch self {
        case .bytes:
            [
                Column("Requests") { Self.requests($0) },
                Column("Failed") { Units.count($0.failures) },
                Column("Fail %") { Self.share($0.failureRate) },
                Column("Up") { Units.bytes($0.up.total) },
                Column("Down") { Units.bytes($0.down.total) },
                Column("Total") { Units.bytes($0.bytes) + Self.error($0) },
                Column("Per call") { Self.weight($0, 0.5) },
                Column("Call p95") { Self.weight($0, 0.95) },
            ] + Self.beside(totals) + [
                Column("p50") { Units.duration($0.latency.percentile(0.5)) },
                Column("p95") { Units.duration($0.latency.percentile(0.95)) },
                Column("Captured") { Units.percent($0.capturedShare) },
            ] + Self.figures(dropOrder: 0, style.zone)
        case .latency: [Column("Requests") { Self.requests($0) }] + Self.latencies { _, _ in 0 }
        case .calls: [Column("Requests") { Self.requests($0) }] + Self.callColumns
        }
    }

    // Bytes besides the messages, if any are known; both directions together.
    private static func beside(_ totals: TrafficTotal, hasAll: Bool = false) -> [Column] {
        func bytes(_ flow: ByteFlow?) -> String { flow.map { Units.bytes($0.total) } ?? "–" }
        var columns: [Column] = []
        if hasAll || totals.overhead != .zero {
            columns.append(Column("Overhead", dropOrder: 10) { bytes($0.sharing == 0 ? nil : $0.overhead) })
        }
        if hasAll || totals.sharing > 0 { columns.append(Column("With IP ≈", dropOrder: 16) { bytes($0.packets) }) }
        return columns
    }

    // Figures that explain bytes and durations.
    private static func figures(dropOrder: Int, _ zone: ClockZone) -> [Column] {
        [
            Column("Headers", dropOrder: dropOrder) { share($0.headerShare) },
            Column("Cookies", dropOrder: dropOrder + 1) { share($0.cookieShare) },
            Column("Compression", dropOrder: dropOrder + 2) { Units.ratio($0.compressionRatio) },
            Column("304", dropOrder: dropOrder + 3) { $0.notModified == 0 ? "–" : Units.count($0.notModified) },
            Column("Reused", dropOrder: dropOrder + 4) { share($0.reuseShare) },
            Column("No response", dropOrder: dropOrder + 5) { $0.unanswered == 0 ? "–" : Units.count($0.unanswered) },
            Column("Last seen (\(zone.name))", dropOrder: dropOrder + 6) { $0.lastSeen?.minuteText(in: zone) ?? "–" },
            Column("First seen (\(zone.name))", dropOrder: dropOrder + 7) { $0.firstSeen?.minuteText(in: zone) ?? "–" },
        ]
    }

    // What single calls weigh; the columns that reports show anyway have their names.
    private static var callColumns: [Column] {
        let ways: [(title: String, order: Int, histogram: (TrafficTotal) -> ByteHistogram)] = [
            ("Call", 4, { $0.perCall.total }), ("Call up", 10, { $0.perCall.up }),
            ("Call down", 13, { $0.perCall.down }),
        ]
        return ways.flatMap { way in
            [("p50", 1, 0.5), ("p95", 2, 0.95), ("max", 3, 1)].map { name, order, share in
                Column(
                    way.title == "Call" && name == "p50" ? "Per call" : "\(way.title) \(name)",
                    dropOrder: way.order + order
                ) {
                    Self.weight(way.histogram($0), share)
                }
            }
        }
    }

    private static func latencies(dropOrder: (_ phase: Int, Percentile) -> Int) -> [Column] {
        // Sending and unattributed time are seldom long, so they are dropped before the rarer percentiles of the other
        // phases.
        let phases: [(title: String, order: Int, histogram: (TrafficTotal) -> LatencyHistogram)] = [
            ("Queue", 6, { $0.phases.queue }), ("DNS", 3, { $0.phases.dns }), ("Connect", 4, { $0.phases.connect }),
            ("TLS", 5, { $0.phases.tls }), ("Send", 20, { $0.phases.send }), ("Wait", 1, { $0.phases.wait }),
            ("Receive", 2, { $0.phases.receive }), ("Unattributed", 25, { $0.phases.unattributed }),
            ("Total", 0, { $0.latency }),
        ]
        return phases.flatMap { phase in
            Percentile.allCases.map { percentile in
                Column("\(phase.title) \(percentile.name)", dropOrder: dropOrder(phase.order, percentile)) { row in
                    Units.duration(phase.histogram(row).percentile(percentile.share))
                }
            }
        }
    }

    /// A size in bytes; a tilde means that not all of it was captured.
    private static func size(_ parts: PartTotals) -> String {
        (parts.captured < parts.total ? "~" : "") + Units.bytes(parts.total)
    }

    private static func size(_ sums: TrafficSums) -> String {
        (sums.up.captured + sums.down.captured < sums.bytes ? "~" : "") + Units.bytes(sums.bytes)
    }

    /// The number of requests, with its standard deviation if it is an estimate.
    private static func requests(_ total: TrafficTotal) -> String {
        Units.count(total.requests) + (total.error.map { " ± \(Units.count($0.requests))" } ?? "")
    }

    /// The standard deviation of the bytes; empty if they are no estimate.
    private static func error(_ total: TrafficTotal) -> String {
        total.error.map { " ± \(Units.bytes($0.bytes))" } ?? ""
    }

    /// A percentile of what one call weighs, in both directions.
    private static func weight(_ total: TrafficTotal, _ share: Double) -> String {
        weight(total.perCall.total, share)
    }

    private static func weight(_ histogram: ByteHistogram, _ share: Double) -> String {
        histogram.percentile(share).map(Units.bytes) ?? "–"
    }

    private static func share(_ share: Double?) -> String {
        share.map { $0 == 0 ? "–" : Units.percent($0) } ?? "–"
    }
}

/// The percentiles that reports show.
enum Percentile: String, CaseIterable {
    case p50, p90, p95, p99

    var name: String { rawValue }

    var share: Double {
        switch self {
        case .p50: 0.5
        case .p90: 0.9
        case .p95: 0.95
        case .p99: 0.99
        }
    }
}
