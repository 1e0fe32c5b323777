package import TrafficModel

extension Observation {
    var timesThatAreOpen: [String] {
        told.flatMap { told in
            told.ends.flatMap { end in
                Exchange(request: told.request, response: told.response, end: end).openTimes
                    .map { "'\(told.request.path)' \($0)" }
            }
        }
    }
}

extension Exchange {
    /// The inconsistencies among the exchange's times, one clause for each; empty if the exchange has not ended.
    package var openTimes: [String] {
        guard let end else { return [] }
        var complaints: [String] = []
        let took = end.endedAt.nanoseconds - request.startedAt.nanoseconds
        if end.timings.total != took {
            let total = end.timings.total.map { "\($0) ns" } ?? "an unknown time"
            complaints.append("took \(took) ns from its begin to its end, and was told with \(total)")
        }
        let parts = end.timings.named.map { $0.duration ?? 0 }
        if let negative = parts.min(), negative < 0 { complaints.append("has a phase of \(negative) ns") }
        if parts.reduce(0, +) != end.timings.total ?? 0 {
            complaints.append("has phases of \(parts.reduce(0, +)) ns in \(end.timings.total ?? 0) ns")
        }
        if let sentAt = request.sentAt {
            if sentAt < request.startedAt || sentAt > end.endedAt {
                complaints.append("was sent outside of its time")
            }
            let before = [end.timings.queue, end.timings.dns, end.timings.connect, end.timings.tls]
                .reduce(0) { $0 + ($1 ?? 0) }
            if before > sentAt.nanoseconds - request.startedAt.nanoseconds {
                complaints.append("has phases of \(before) ns before it was sent, which is more time than there was")
            }
        }
        return complaints
    }
}
