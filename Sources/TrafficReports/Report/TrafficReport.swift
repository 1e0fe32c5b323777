internal import TextFormats
package import TrafficModel

/// Where the bytes and the time went: one row for each group, in the requested order, and the totals.
package struct TrafficReport: Sendable {
    /// The order of the rows.
    package enum Sort: String, Sendable, CaseIterable {
        /// Bytes in both directions.
        case bytes
        /// The same as ``bytes``, by the name of its column.
        case total
        /// The 95th percentile of the bytes of one call, in both directions.
        case perCall = "per-call"
        /// The same as ``perCall``, by the name of its column.
        case callP95 = "call-p95"
        /// The median of the bytes of one call, in both directions.
        case callP50 = "call-p50"
        /// The bytes of the largest call, in both directions.
        case callMax = "call-max"
        /// The median of the bytes of one request.
        case callUpP50 = "call-up-p50"
        /// The 95th percentile of the bytes of one request.
        case callUpP95 = "call-up-p95"
        /// The bytes of the largest request.
        case callUpMax = "call-up-max"
        /// The median of the bytes of one response.
        case callDownP50 = "call-down-p50"
        /// The 95th percentile of the bytes of one response.
        case callDownP95 = "call-down-p95"
        /// The bytes of the largest response.
        case callDownMax = "call-down-max"
        /// Bytes of the requests.
        case up
        /// Bytes of the responses.
        case down
        /// The number of requests.
        case requests
        /// The number of failures.
        case failures
        /// The number of requests without a response.
        case unanswered
        /// Bytes of header sections, in both directions.
        case headers
        /// Bytes of Cookie and Set-Cookie lines.
        case cookies
        /// Bytes of TLS and of HTTP/2's own frames, in both directions.
        case overhead
        /// The 95th percentile of the durations.
        case latency
        /// The 95th percentile of the times in the client before the request was sent.
        case queue
        /// The 95th percentile of the name lookups.
        case dns
        /// The 95th percentile of the TCP handshakes.
        case connect
        /// The 95th percentile of the TLS handshakes.
        case tls
        /// The 95th percentile of the times from the first to the last byte of the request.
        case send
        /// The 95th percentile of the waits for the first byte.
        case wait
        /// The 95th percentile of the times from the first to the last byte of the response.
        case receive
        /// The 95th percentile of the times that are in no phase.
        case unattributed
        /// When the group was last seen; the most recent comes first.
        case recent
        /// The group's name, from A to Z.
        case name
    }

    /// How many paths a report shows unless there is a limit: there may be as many paths as exchanges.
    package static let mostPaths = 1_000

    /// What the requests are grouped by.
    package let grouping: TrafficGrouping
    /// Whether the requests were called or served.
    package let direction: TrafficDirection
    /// The range of time that was requested.
    package let range: TimeRange
    /// The rows in the requested order, up to the limit.
    package let rows: [TrafficTotal]
    /// The number of rows that are not in ``rows``.
    package let remainingRows: Int
    /// The sum of the rows that are not in ``rows``; nil if there are none.
    package let remainder: TrafficTotal?
    /// The sum of all rows.
    package let totals: TrafficTotal
    /// What could not be recorded, at any time.
    package let losses: [TrafficLoss]
    /// How much of the bytes on the wire the rows account for.
    package let completeness: Completeness
    /// The sums of paths beyond their hosts' limit of templates, if the rows are APIs.
    package let overflow: [TrafficTotal]
    /// Metered requests whose rows are not stored any more, so that a grouping of stored rows leaves them out; known
    /// for all time only, and 0 if the sums are estimates.
    package let thinnedOut: Int64
    /// The traffic over time, all groups together; nil if it was not requested.
    package let timeline: TrafficTimeline?
    /// The filter of the exchanges that count; nil if all of them do.
    package let selection: FilteredSelection?
    /// Whether only the exchanges count whose rows are kept.
    package let countsRows: Bool

    /// Creates a report on the contents of a store.
    ///
    /// - Parameters:
    ///   - store: the store to read.
    ///   - grouping: what the requests are grouped by.
    ///   - direction: whether the requests that were called count, or those that were served.
    ///   - range: which requests count.
    ///   - sort: the order of the rows.
    ///   - limit: the largest number of rows; nil for all, or for ``mostPaths`` if the rows are paths.
    ///   - slots: the largest number of slots of the timeline; nil for no timeline.
    ///   - ports: decides which ports are one service.
    /// - Throws: errors of the store.
    package init(
        of store: any TrafficReading, by grouping: TrafficGrouping, direction: TrafficDirection = .called,
        in range: TimeRange = .always,
        sort: Sort = .bytes, limit: Int? = nil, slots: Int? = nil, ports: PortRule = .each
    ) throws {
        let most = limit.map { max(0, $0) } ?? (grouping == .path ? Self.mostPaths : .max)
        let shown: [TrafficTotal]
        let others: TrafficTotal
        if grouping == .path, let ranking = store as? any GroupRanking {
            let leading = try ranking.leadingPaths(
                most, of: direction, in: range, order: sort.order, naming: { ports.name(of: $0) })
            shown = Self.sorted(leading.rows, by: sort)
            others = TrafficTotal(key: TrafficTotal.Key(), sums: leading.others)
            remainingRows = leading.otherGroups
            overflow = []
        } else {
            let all = ports.named(try store.totals(by: grouping, in: range).filter { $0.key.direction == direction })
            let sorted = Self.sorted(all, by: sort)
            shown = Array(sorted.prefix(most))
            others = Self.sum(sorted.dropFirst(most))
            remainingRows = sorted.count - shown.count
            overflow = Self.overflow(of: all)
        }
        self.grouping = grouping
        self.direction = direction
        self.range = range
        rows = grouping == .device ? try Self.named(shown, in: store) : shown
        remainder = remainingRows > 0 ? others : nil
        totals = Self.sum(shown + [others])
        losses = Self.sorted(try store.losses())
        let selection = try (store as? FilteredReading)?.selection(by: grouping)
        self.selection = selection
        countsRows =
            selection?.countsRows ?? (store as? any TrafficBrowsing)?.countsRows(by: grouping) ?? grouping.countsRows
        let details =
            try countsRows
            ? (store as? any TrafficBrowsing)?.detailCoverage(of: direction, in: range) : nil
        completeness = Completeness(
            of: totals, try store.ledgerCoverage(of: direction, in: range), losses: losses,
            isSelection: selection != nil, details: details)
        // Sums by API have no times.
        timeline = try slots.flatMap {
            selection?.countsRows == false ? nil : try store.timeline(of: direction, in: range, limit: $0)
        }
        if selection == nil && countsRows && range == .always && totals.error == nil {
            let metered = try store.totals(by: .method, in: range).reduce(0) {
                $1.key.direction == direction ? $0 + $1.requests : $0
            }
            thinnedOut = max(0, metered - totals.requests)
        } else {
            thinnedOut = 0
        }
    }

    /// Creates a report on sums that were made elsewhere.
    package init(
        of totals: [TrafficTotal], by grouping: TrafficGrouping, direction: TrafficDirection = .called,
        losses: [TrafficLoss],
        ledger: LedgerCoverage = LedgerCoverage(), sort: Sort = .bytes
    ) {
        let all = totals.filter { $0.key.direction == direction }
        self.grouping = grouping
        self.direction = direction
        range = .always
        rows = Self.sorted(all, by: sort)
        remainingRows = 0
        remainder = nil
        self.totals = Self.sum(all)
        overflow = Self.overflow(of: all)
        self.losses = Self.sorted(losses)
        completeness = Completeness(of: self.totals, ledger, losses: losses)
        thinnedOut = 0
        timeline = nil
        selection = nil
        countsRows = grouping.countsRows
    }

    /// The rows of devices with what is known of each beside its address, and where that is from.
    private static func named(_ rows: [TrafficTotal], in store: any TrafficReading) throws -> [TrafficTotal] {
        let names = try (store as? any TrafficBrowsing)?.deviceNames() ?? []
        let known = Dictionary(grouping: names, by: \.address)
        return rows.map { row in
            var row = row
            row.key.source = known[row.key.process ?? ""]?.map { "\($0.name) (\($0.source.rawValue))" }
                .joined(separator: ", ")
            return row
        }
    }

    private static func sorted(_ losses: [TrafficLoss]) -> [TrafficLoss] {
        losses.filter { $0.count > 0 }.sorted { $0.reason.rawValue < $1.reason.rawValue }
    }

    private static func sum(_ totals: some Sequence<TrafficTotal>) -> TrafficTotal {
        totals.reduce(into: TrafficTotal(key: TrafficTotal.Key())) { $0.merge($1) }
    }

    private static func sorted(_ totals: [TrafficTotal], by sort: Sort) -> [TrafficTotal] {
        // The weight is computed once a row, because a percentile reads a whole histogram.
        let weighted = totals.map { (weight: weight(of: $0, sort), name: $0.key.name, total: $0) }
        return weighted.sorted { left, right in
            left.weight != right.weight ? left.weight > right.weight : left.name.lexicographicallyPrecedes(right.name)
        }.map(\.total)
    }

    private static func weight(of total: TrafficTotal, _ sort: Sort) -> Int64 {
        switch sort {
        case .bytes, .total: total.bytes.bytes
        case .perCall, .callP95: heaviness(total.perCall.total, 0.95)
        case .callP50: heaviness(total.perCall.total, 0.5)
        case .callMax: heaviness(total.perCall.total, 1)
        case .callUpP50: heaviness(total.perCall.up, 0.5)
        case .callUpP95: heaviness(total.perCall.up, 0.95)
        case .callUpMax: heaviness(total.perCall.up, 1)
        case .callDownP50: heaviness(total.perCall.down, 0.5)
        case .callDownP95: heaviness(total.perCall.down, 0.95)
        case .callDownMax: heaviness(total.perCall.down, 1)
        case .up: total.up.total.bytes
        case .down: total.down.total.bytes
        case .requests: total.requests
        case .failures: total.failures
        case .unanswered: total.unanswered
        case .headers: (total.up.fields + total.down.fields).bytes
        case .cookies: (total.up.cookies + total.down.cookies).bytes
        case .overhead: total.overhead.total.bytes
        case .latency: slowness(total.latency)
        case .queue: slowness(total.phases.queue)
        case .dns: slowness(total.phases.dns)
        case .connect: slowness(total.phases.connect)
        case .tls: slowness(total.phases.tls)
        case .send: slowness(total.phases.send)
        case .wait: slowness(total.phases.wait)
        case .receive: slowness(total.phases.receive)
        case .unattributed: slowness(total.phases.unattributed)
        case .recent: total.lastSeen?.nanoseconds ?? .min
        case .name: 0
        }
    }
}

extension TrafficReport.Sort {
    /// The same order, for a store that finds the first groups itself.
    var order: GroupOrder {
        switch self {
        case .perCall, .callP95: .weight(0.95) { $0.total }
        case .callP50: .weight(0.5) { $0.total }
        case .callMax: .weight(1) { $0.total }
        case .callUpP50: .weight(0.5) { $0.up }
        case .callUpP95: .weight(0.95) { $0.up }
        case .callUpMax: .weight(1) { $0.up }
        case .callDownP50: .weight(0.5) { $0.down }
        case .callDownP95: .weight(0.95) { $0.down }
        case .callDownMax: .weight(1) { $0.down }
        case .bytes, .total: .size(.total)
        case .up: .size(.up)
        case .down: .size(.down)
        case .requests: .size(.requests)
        case .failures: .sum { figures, end in figures.hasFailed(with: end) ? 1 : 0 }
        case .unanswered: .sum { figures, end in figures.isAnswered || end?.isIncomplete == true ? 0 : 1 }
        case .headers: .size(.fields)
        case .cookies: .size(.cookies)
        case .overhead: .sum { _, end in end?.share?.overhead.total.bytes ?? 0 }
        case .latency: .percentile(0.95) { $0.total }
        case .queue: .percentile(0.95) { $0.queue }
        case .dns: .percentile(0.95) { $0.dns }
        case .connect: .percentile(0.95) { $0.connect }
        case .tls: .percentile(0.95) { $0.tls }
        case .send: .percentile(0.95) { $0.send }
        case .wait: .percentile(0.95) { $0.wait }
        case .receive: .percentile(0.95) { $0.receive }
        case .unattributed: .percentile(0.95) { $0.unattributed.flatMap { $0 > 0 ? $0 : nil } }
        case .recent: .latest
        case .name: .name
        }
    }
}

extension TrafficReport {
    private static func heaviness(_ histogram: ByteHistogram, _ share: Double) -> Int64 {
        histogram.percentile(share)?.bytes ?? -1
    }

    private static func slowness(_ histogram: LatencyHistogram) -> Int64 { histogram.percentile(0.95) ?? -1 }
}

extension TrafficTotal.Key {
    /// Sorts rows of equal weight by their names.
    fileprivate var name: [String] {
        [
            host ?? "", template ?? path ?? "", method ?? "", status.map { Units.padded($0, to: 3) } ?? "",
            contentType ?? "", process ?? "", network ?? "", source ?? "", direction.rawValue,
        ]
    }
}

extension TrafficGrouping {
    /// The name of the rows in machine formats.
    package var plural: String {
        switch self {
        case .api: "apis"
        case .host: "hosts"
        case .path: "paths"
        case .status: "statuses"
        case .type: "types"
        case .method: "methods"
        case .process: "processes"
        case .network: "networks"
        case .hijacked: rawValue
        default: rawValue + "s"
        }
    }

    /// The name of several rows in texts.
    var pluralTitle: String { self == .api ? "APIs" : plural }

    /// The parts of the key that the grouping uses: names in machine formats, titles and texts.
    var keyColumns: [(name: String, title: String, text: @Sendable (TrafficTotal.Key) -> String)] {
        switch self {
        case .api:
            [
                ("method", "Method", { $0.method ?? "" }), ("host", "Host", { $0.host ?? "" }),
                ("template", "API", { $0.template ?? "" }),
            ]
        case .host: [("host", "Host", { $0.host ?? "" })]
        case .path:
            [
                ("method", "Method", { $0.method ?? "" }), ("host", "Host", { $0.host ?? "" }),
                ("path", "Path", { $0.path ?? "" }),
            ]
        case .status: [("status", "Status", { $0.status.flatMap { $0 == 0 ? nil : String($0) } ?? "" })]
        case .type: [("contentType", "Type", { $0.contentType ?? "" })]
        case .method: [("method", "Method", { $0.method ?? "" })]
        case .process: [("process", "Process", { $0.process ?? "" })]
        case .device: [("device", "Device", { $0.process ?? "" }), ("knownAs", "Known as", { $0.source ?? "" })]
        case .network: [("network", "Network", { $0.network ?? "" })]
        case .direction: [("direction", "Direction", { $0.direction.rawValue })]
        case .hijacked:
            [
                ("method", "Method", { $0.method ?? "" }), ("host", "Host", { $0.host ?? "" }),
                ("template", "API", { $0.template ?? "" }), ("contentType", "Type", { $0.contentType ?? "" }),
                ("usualType", "Usual type", { $0.source ?? "" }),
            ]
        case _ where Self.sourceCases.contains(self):
            [(rawValue, rawValue.prefix(1).uppercased() + rawValue.dropFirst(), { $0.source ?? "" })]
        default: []
        }
    }
}
