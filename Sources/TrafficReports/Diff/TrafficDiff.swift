package import TrafficModel

/// Compares two runs, API by API; the largest change comes first.
package struct TrafficDiff: Sendable {
    /// The order of the rows.
    package enum Sort: String, Sendable, CaseIterable {
        /// By the change of the API's sum, in bytes.
        case bytes
        /// By the change of one request, in bytes, both directions together.
        case request
        /// By the change of what one call weighs; rows with a certain change come first.
        case perCall = "per-call"
        /// By the change of durations; rows with a certain change come first.
        case latency
        /// By name, from A to Z.
        case name
    }

    /// One API in both runs.
    package struct Row: Sendable {
        /// The API that is compared.
        package let api: Budget.API
        /// Its sums in the first run; nil if the API is new.
        package let before: TrafficTotal?
        /// Its sums in the second run; nil if it vanished.
        package let after: TrafficTotal?
        /// The comparison of its durations; nil if one run has none.
        package let latency: LatencyComparison?
        /// The conclusion about its durations; nil if there is nothing to compare.
        package internal(set) var finding: LatencyComparison.Finding?
        /// The probability of such a difference by chance, corrected for the number of APIs compared.
        package internal(set) var correctedChance: Double?
        /// The comparison of what single calls weigh, in both directions; nil if one run has none.
        package let weight: LatencyComparison?
        /// The conclusion about these weights; nil if there is nothing to compare.
        package internal(set) var weightFinding: LatencyComparison.Finding?
        /// The probability of such a difference of weights by chance, corrected for the number of APIs compared.
        package internal(set) var correctedWeightChance: Double?

        init(api: Budget.API, before: TrafficTotal?, after: TrafficTotal?) {
            self.api = api
            self.before = before
            self.after = after
            latency = before.flatMap { before in
                after.map { LatencyComparison(before: before.latency, after: $0.latency) }
            }
            weight = before.flatMap { before in
                after.map { LatencyComparison(before: before.perCall.total, after: $0.perCall.total) }
            }
        }

        /// The change of the sum, in bytes.
        package var change: Int64 { Self.bytes(after) - Self.bytes(before) }

        /// The change of one request, in bytes; nil if one run has none.
        package var changePerRequest: Double? {
            guard let before, let after, before.requests > 0, after.requests > 0 else { return nil }
            return Double(Self.bytes(after)) / Double(after.requests)
                - Double(Self.bytes(before)) / Double(before.requests)
        }

        private static func bytes(_ total: TrafficTotal?) -> Int64 { total?.bytes.bytes ?? 0 }
    }

    /// The APIs in the requested order, up to the limit.
    package let rows: [Row]
    /// The number of APIs that are not in ``rows``.
    package let remainingRows: Int
    /// The number of APIs that are only in the second run.
    package let new: Int
    /// The number of APIs that are only in the first run.
    package let vanished: Int
    /// The sums of both runs in one direction.
    package struct Totals: Sendable {
        /// Whether the requests were called or served.
        package let direction: TrafficDirection
        /// The sum of the first run.
        package let before: TrafficTotal
        /// The sum of the second run.
        package let after: TrafficTotal
    }

    /// The sums of both runs in each direction in which there were requests; of `called` if there were none.
    package let totals: [Totals]
    /// What could not be recorded in each run.
    package let losses: (before: [TrafficLoss], after: [TrafficLoss])
    /// The number of APIs with enough durations in both runs.
    package let compared: Int
    /// The number of APIs with enough calls that were weighed in both runs.
    package let weighed: Int

    /// Compares two runs.
    ///
    /// - Parameters:
    ///   - before: the earlier run.
    ///   - after: the later run.
    ///   - sort: the order of the rows.
    ///   - limit: the most rows; nil for all.
    ///   - ports: decides which ports are one service.
    ///   - ranges: when the requests began that count, in each run.
    /// - Throws: errors of the stores.
    package init(
        before: any TrafficReading, after: any TrafficReading, sort: Sort = .bytes, limit: Int? = nil,
        ports: PortRule = .fixed, in ranges: (before: TimeRange, after: TimeRange) = (.always, .always)
    ) throws {
        self.init(
            ports.named(try before.totals(by: .api, in: ranges.before)),
            ports.named(try after.totals(by: .api, in: ranges.after)),
            sort: sort, limit: limit, losses: (try before.losses(), try after.losses()))
    }

    init(
        _ before: [TrafficTotal], _ after: [TrafficTotal], sort: Sort = .bytes, limit: Int? = nil,
        losses: (before: [TrafficLoss], after: [TrafficLoss]) = ([], [])
    ) {
        let first = Dictionary(before.map { (Budget.API($0.key), $0) }) { first, _ in first }
        let second = Dictionary(after.map { (Budget.API($0.key), $0) }) { first, _ in first }
        var rows = Set(first.keys).union(second.keys).map { Row(api: $0, before: first[$0], after: second[$0]) }
        compared = Self.judge(&rows, \.latency, \.correctedChance, \.finding)
        weighed = Self.judge(&rows, \.weight, \.correctedWeightChance, \.weightFinding)
        let sorted = Self.sorted(rows, by: sort)
        let shown = limit.map { max(0, $0) } ?? sorted.count
        self.rows = Array(sorted.prefix(shown))
        remainingRows = max(0, sorted.count - shown)
        new = rows.count { $0.before == nil }
        vanished = rows.count { $0.after == nil }
        totals = Self.totals(before, after)
        self.losses = (losses.before.filter { $0.count > 0 }, losses.after.filter { $0.count > 0 })
    }

    /// Draws the conclusions about the durations or the weights, for all APIs together, because each API tested is one
    /// more chance to err.
    private static func judge(
        _ rows: inout [Row], _ comparison: KeyPath<Row, LatencyComparison?>,
        _ chance: WritableKeyPath<Row, Double?>, _ finding: WritableKeyPath<Row, LatencyComparison.Finding?>
    ) -> Int {
        let compared = rows.indices.filter { rows[$0][keyPath: comparison]?.isEnough == true }
        let chances = LatencyComparison.corrected(compared.map { rows[$0][keyPath: comparison]?.chance ?? 1 })
        for (index, corrected) in zip(compared, chances) { rows[index][keyPath: chance] = corrected }
        for index in rows.indices {
            rows[index][keyPath: finding] = rows[index][keyPath: comparison]?
                .finding(correctedChance: rows[index][keyPath: chance] ?? 1)
        }
        return compared.count
    }

    private static func totals(_ before: [TrafficTotal], _ after: [TrafficTotal]) -> [Totals] {
        let metered = Set((before + after).map(\.key.direction))
        return TrafficDirection.allCases.filter { metered.isEmpty ? $0 == .called : metered.contains($0) }.map {
            Totals(direction: $0, before: sum(before, $0), after: sum(after, $0))
        }
    }

    private static func sum(_ totals: [TrafficTotal], _ direction: TrafficDirection) -> TrafficTotal {
        totals.filter { $0.key.direction == direction }
            .reduce(into: TrafficTotal(key: TrafficTotal.Key(direction: direction))) { $0.merge($1) }
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
        case .perCall: return weight(of: row.weight, row.weightFinding)
        case .latency: return weight(of: row.latency, row.finding)
        case .name: return 0
        }
    }

    private static func weight(of comparison: LatencyComparison?, _ finding: LatencyComparison.Finding?) -> Double {
        guard let finding, let ratio = comparison?.ratio else { return -1 }
        let size = max(ratio, 1 / ratio)
        // Puts certain changes before all others: a ratio of measured values is at least 1 and below this factor.
        return finding == .noise || finding == .tooFew ? size : 1e15 * size
    }
}
