#if Server
    internal import CoreMetrics
    internal import TrafficModel

    /// Passes sums by API on to a metrics system, under the names of the export in OpenMetrics.
    struct APIMetrics {
        /// A metric with its labels.
        private struct Series: Hashable {
            var name: String
            var labels: [String]
        }

        private let factory: any MetricsFactory
        private var apis: LabelledAPIs
        private var counters: [Series: Counter] = [:]
        private var timers: [TrafficTotal.Key: Timer] = [:]
        private var losses: [TrafficLoss.Reason: Int64] = [:]

        init(_ factory: any MetricsFactory, mostAPIs: Int) {
            self.factory = factory
            apis = LabelledAPIs(most: mostAPIs)
        }

        /// Adds the sums of exchanges that were not in an earlier call.
        mutating func add(_ totals: [TrafficTotal]) {
            for total in apis.labelled(totals) {
                // These exist as soon as their API does, so that a first failure is a change.
                count("requests", total, by: total.requests)
                count("responses", total, by: total.responses)
                count("failures", total, by: total.failures)
                add(total.up, of: "request", total)
                add(total.down, of: "response", total)
                record(total.latency, of: total)
            }
        }

        /// Takes the losses since the start.
        mutating func show(_ sums: [TrafficLoss.Reason: Int64]) {
            for (reason, sum) in sums where sum > losses[reason] ?? 0 {
                increment("lost_events", [("reason", reason.rawValue)], by: sum - (losses[reason] ?? 0))
                losses[reason] = sum
            }
        }

        private mutating func add(_ parts: PartTotals, of message: String, _ total: TrafficTotal) {
            for (part, bytes) in [
                ("start_line", parts.startLine), ("fields", parts.fields), ("interim", parts.interim),
                ("body", parts.body), ("framing", parts.framing),
            ] where bytes > .zero {
                count("\(message)_bytes", total, ("part", part), by: bytes.bytes)
            }
            for (share, bytes) in [("cookies", parts.cookies), ("captured", parts.captured)] where bytes > .zero {
                count("\(message)_\(share)_bytes", total, by: bytes.bytes)
            }
        }

        private mutating func record(_ latency: LatencyHistogram, of total: TrafficTotal) {
            guard latency.count > 0 else { return }
            let timer =
                timers[total.key]
                ?? Timer(
                    label: "wireweight_duration_seconds", dimensions: Self.labels(total),
                    preferredDisplayUnit: .seconds, factory: factory)
            timers[total.key] = timer
            for _ in 0..<latency.zeroCount { timer.recordNanoseconds(0) }
            for (bucket, count) in latency.buckets {
                let middle = Int64(clamping: LatencyHistogram.middle(of: Int(bucket)) * 1e9)
                for _ in 0..<count { timer.recordNanoseconds(middle) }
            }
        }

        private mutating func count(
            _ name: String, _ total: TrafficTotal, _ more: (String, String)..., by value: Int64
        ) {
            increment(name, Self.labels(total) + more, by: value)
        }

        private mutating func increment(_ name: String, _ labels: [(String, String)], by value: Int64) {
            let series = Series(name: "wireweight_\(name)", labels: labels.map(\.1))
            let counter =
                counters[series] ?? Counter(label: series.name, dimensions: labels, factory: factory)
            counters[series] = counter
            counter.increment(by: value)
        }

        private static func labels(_ total: TrafficTotal) -> [(String, String)] {
            [
                ("method", total.key.method ?? ""), ("host", total.key.host ?? ""),
                ("template", total.key.template ?? ""), ("traffic", total.key.direction.rawValue),
            ]
        }
    }
#endif
