package import TrafficModel

/// Two runs, API by API: what changed most comes first.
package struct TrafficDiff: Sendable {
    /// What the rows come in the order of.
    package enum Sort: String, Sendable, CaseIterable {
        /// By how many bytes the API's sum changed.
        case bytes
        /// By how many bytes one request changed, both directions together.
        case request
        /// By how much durations changed, those first of which that can be said.
        case latency
        /// From A to Z.
        case name
    }

    /// One API.
    package struct Row: Sendable {
        /// Which.
        package let api: Budget.API
        /// The first run; nil where the API is new.
        package let before: TrafficTotal?
        /// The second run; nil where it vanished.
        package let after: TrafficTotal?
        /// The durations beside each other; nil where one run has none of this API.
        package let latency: LatencyComparison?
        /// What may be said of the durations; nil where there is nothing to compare.
        package internal(set) var finding: LatencyComparison.Finding?
        /// How likely such a difference is by chance in as many APIs as were looked at.
        package internal(set) var correctedChance: Double?

        init(api: Budget.API, before: TrafficTotal?, after: TrafficTotal?) {
            self.api = api
            self.before = before
            self.after = after
            latency = before.flatMap { before in
                after.map { LatencyComparison(before: before.latency, after: $0.latency) }
            }
        }

        /// By how many bytes the sum changed.
        package var change: Int64 { Self.bytes(after) - Self.bytes(before) }

        /// By how many bytes a request changed; nil where one run has none.
        package var changePerRequest: Double? {
            guard let before, let after, before.requests > 0, after.requests > 0 else { return nil }
            return Double(Self.bytes(after)) / Double(after.requests)
                - Double(Self.bytes(before)) / Double(before.requests)
        }

        private static func bytes(_ total: TrafficTotal?) -> Int64 { total?.bytes.bytes ?? 0 }
    }

    /// The APIs, sorted, at most as many as asked for.
    package let rows: [Row]
    /// How many are not among ``rows``.
    package let remainingRows: Int
    /// How many are only in the second run.
    package let new: Int
    /// How many are only in the first.
    package let vanished: Int
    /// The sums of both runs.
    package let totals: (before: TrafficTotal, after: TrafficTotal)
    /// What could not be recorded of each run.
    package let losses: (before: [TrafficLoss], after: [TrafficLoss])
    /// Of how many APIs both runs have enough durations.
    package let compared: Int

    /// Two runs beside each other.
    ///
    /// - Parameters:
    ///   - before: the earlier run.
    ///   - after: the later run.
    ///   - sort: what comes first.
    ///   - limit: the most rows; nil for all.
    ///   - ports: which ports are one service.
    /// - Throws: what the stores throw.
    package init(
        before: any TrafficReading, after: any TrafficReading, sort: Sort = .bytes, limit: Int? = nil,
        ports: PortRule = .fixed
    ) throws {
        self.init(
            ports.named(try before.totals(by: .api, in: .always)), ports.named(try after.totals(by: .api, in: .always)),
            sort: sort, limit: limit, losses: (try before.losses(), try after.losses()))
    }

    init(
        _ before: [TrafficTotal], _ after: [TrafficTotal], sort: Sort = .bytes, limit: Int? = nil,
        losses: (before: [TrafficLoss], after: [TrafficLoss]) = ([], [])
    ) {
        let first = Dictionary(before.map { (Budget.API($0.key), $0) }) { first, _ in first }
        let second = Dictionary(after.map { (Budget.API($0.key), $0) }) { first, _ in first }
        var rows = Set(first.keys).union(second.keys).map { Row(api: $0, before: first[$0], after: second[$0]) }
        compared = Self.judge(&rows)
        let sorted = Self.sorted(rows, by: sort)
        let shown = limit.map { max(0, $0) } ?? sorted.count
        self.rows = Array(sorted.prefix(shown))
        remainingRows = max(0, sorted.count - shown)
        new = rows.count { $0.before == nil }
        vanished = rows.count { $0.after == nil }
        totals = (Self.sum(before), Self.sum(after))
        self.losses = (losses.before.filter { $0.count > 0 }, losses.after.filter { $0.count > 0 })
    }

    /// Says what may be said of the durations: of all APIs together, since each one looked at is one more chance to err.
    private static func judge(_ rows: inout [Row]) -> Int {
        let compared = rows.indices.filter { rows[$0].latency?.isEnough == true }
        let chances = LatencyComparison.corrected(compared.map { rows[$0].latency?.chance ?? 1 })
        for (index, chance) in zip(compared, chances) { rows[index].correctedChance = chance }
        for index in rows.indices {
            rows[index].finding = rows[index].latency?.finding(correctedChance: rows[index].correctedChance ?? 1)
        }
        return compared.count
    }

    private static func sum(_ totals: [TrafficTotal]) -> TrafficTotal {
        totals.reduce(into: TrafficTotal(key: TrafficTotal.Key())) { $0.merge($1) }
    }

    private static func sorted(_ rows: [Row], by sort: Sort) -> [Row] {
        let weighted = rows.map { (weight: weight(of: $0, sort), row: $0) }
        return weighted.sorted { left, right in
            left.weight != right.weight ? left.weight > right.weight : left.row.api < right.row.api
        }.map(\.row)
    }

    private static func weight(of row: Row, _ sort: Sort) -> Double {
        switch sort {
        case .bytes: return Double(row.change.magnitude)
        case .request: return row.changePerRequest.map { abs($0) } ?? -1
        case .latency:
            guard let finding = row.finding, let ratio = row.latency?.ratio else { return -1 }
            let size = max(ratio, 1 / ratio)
            // A ratio of durations is at least 1 and, between two that were measured, below this.
            return finding == .slower || finding == .faster ? 1e15 * size : size
        case .name: return 0
        }
    }
}
