package import TrafficModel

extension Observation {
    var timeFaults: [String] {
        reported.flatMap { exchange in
            exchange.ends.flatMap { end in
                Exchange(request: exchange.request, response: exchange.response, end: end).timeFaults
                    .map { "'\(exchange.request.path)' \($0)" }
            }
        }
    }
}

extension Exchange {
    /// The inconsistencies among the exchange's times, one clause for each; empty if the exchange has not ended.
    package var timeFaults: [String] {
        guard let end else { return [] }
        var faults: [String] = []
        let took = end.endedAt.nanoseconds - request.startedAt.nanoseconds
        if end.timings.total != took {
            let total = end.timings.total.map { "\($0) ns" } ?? "an unknown time"
            faults.append("took \(took) ns from start to end, but was reported with \(total)")
        }
        let parts = end.timings.named.map { $0.duration ?? 0 }
        if let negative = parts.min(), negative < 0 { faults.append("has a phase of \(negative) ns") }
        if parts.reduce(0, +) != end.timings.total ?? 0 {
            faults.append("has phases of \(parts.reduce(0, +)) ns in \(end.timings.total ?? 0) ns")
        }
        if let sentAt = request.sentAt {
            if sentAt < request.startedAt || sentAt > end.endedAt {
                faults.append("was sent before its start or after its end")
            }
            let before = [end.timings.queue, end.timings.dns, end.timings.connect, end.timings.tls]
                .reduce(0) { $0 + ($1 ?? 0) }
            if before > sentAt.nanoseconds - request.startedAt.nanoseconds {
                faults.append("has phases of \(before) ns before it was sent, which is more time than there was")
            }
        }
        return faults
    }
}
