internal import TrafficModel

/// The sums of one API over one minute or hour.
struct Rollup {
    /// Which sums: an API in a slot of time.
    struct Key: Hashable {
        /// The API's row.
        var api: Int64
        /// Minutes or hours since the epoch.
        var slot: Int64
    }

    /// Nanoseconds of a minute.
    static let minute: Int64 = 60_000_000_000
    /// Minutes of an hour.
    static let minutesPerHour: Int64 = 60

    var requests: Int64 = 0
    var responses: Int64 = 0
    var failures: Int64 = 0
    var up = PartTotals()
    var down = PartTotals()
    var firstSeen = Int64.max
    var lastSeen = Int64.min
    var total = BucketCounts()
    var dns = BucketCounts()
    var connect = BucketCounts()
    var tls = BucketCounts()
    var wait = BucketCounts()
    var receive = BucketCounts()

    /// The minute of a moment.
    static func minute(of moment: Timestamp) -> Int64 { floor(moment.nanoseconds, minute) }

    /// The hour of a minute.
    static func hour(of minute: Int64) -> Int64 { floor(minute, minutesPerHour) }

    /// Whole units, rounded down also before the epoch.
    static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : -((-(value + 1)) / unit) - 1
    }

    /// Adds an exchange that has ended, or, without an end, one that still runs.
    mutating func add(_ exchange: OpenExchange, end: ExchangeEnd?) {
        requests += 1
        up.count(exchange.up)
        if exchange.hasResponse {
            if exchange.status > 0 { responses += 1 }
            down.count(exchange.down)
        }
        firstSeen = min(firstSeen, exchange.startedAt.nanoseconds)
        lastSeen = max(lastSeen, exchange.startedAt.nanoseconds)
        guard let end else {
            if exchange.status >= 400 { failures += 1 }
            return
        }
        if exchange.status >= 400 || end.outcome != .completed { failures += 1 }
        if let latency = end.latency(startedAt: exchange.startedAt) { total.record(nanoseconds: latency) }
        if let value = end.timings.dns { dns.record(nanoseconds: value) }
        if let value = end.timings.connect { connect.record(nanoseconds: value) }
        if let value = end.timings.tls { tls.record(nanoseconds: value) }
        if let value = end.timings.wait { wait.record(nanoseconds: value) }
        if let value = end.timings.receive { receive.record(nanoseconds: value) }
    }

    /// Adds other sums.
    mutating func merge(_ other: Rollup) {
        requests += other.requests
        responses += other.responses
        failures += other.failures
        up.merge(other.up)
        down.merge(other.down)
        firstSeen = min(firstSeen, other.firstSeen)
        lastSeen = max(lastSeen, other.lastSeen)
        total.merge(other.total)
        dns.merge(other.dns)
        connect.merge(other.connect)
        tls.merge(other.tls)
        wait.merge(other.wait)
        receive.merge(other.receive)
    }
}

extension PartTotals {
    /// Adds one message: what ``add(_:)`` does, without the arrays in between.
    @inline(__always)
    mutating func count(_ size: borrowing WireSize) {
        startLine += size.startLine.bytes
        fields += size.fields.bytes
        cookies += size.cookies.bytes
        interim += size.interim.bytes
        body += size.body.bytes
        framing += size.framing.bytes
        if size.startLine.evidence == .captured { captured += size.startLine.bytes }
        if size.fields.evidence == .captured { captured += size.fields.bytes }
        if size.interim.evidence == .captured { captured += size.interim.bytes }
        if size.body.evidence == .captured { captured += size.body.bytes }
        if size.framing.evidence == .captured { captured += size.framing.bytes }
    }
}
