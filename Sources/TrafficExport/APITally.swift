import TrafficModel

/// Adds exchanges up by API, as the store's writer does: what has not ended does not count yet.
struct APITally {
    private var sums: [TrafficTotal.Key: TrafficTotal] = [:]

    /// The sums, in no particular order.
    var totals: [TrafficTotal] { Array(sums.values) }

    /// Adds one exchange.
    mutating func add(_ exchange: Exchange) {
        let request = exchange.request
        let key = TrafficTotal.Key(method: request.method, host: request.host, template: request.template)
        var one = TrafficTotal(key: key)
        one.requests = 1
        one.up.add(request.size)
        one.firstSeen = request.startedAt
        one.lastSeen = request.startedAt
        if let response = exchange.response {
            one.responses = 1
            one.down.add(response.size)
        }
        if let share = exchange.end?.share {
            one.sharing = 1
            one.overhead = share.overhead
            one.packetHeaders = share.packetHeaders
        }
        if let end = exchange.end {
            let status = exchange.response?.status ?? 0
            one.failures = end.outcome != .completed || status >= 400 ? 1 : 0
            if let duration = exchange.duration { one.latency.record(nanoseconds: duration) }
        }
        sums[key, default: TrafficTotal(key: key)].merge(one)
    }
}
