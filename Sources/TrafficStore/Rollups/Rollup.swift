internal import TrafficModel

/// The sums of one kind of exchange over one slot of time.
struct Rollup {
    /// Identifies sums: a kind of exchange and a slot of time.
    struct Key: Hashable {
        /// The kind's row: see ``KindTable``.
        var kind: Int64
        /// A minute, hour or day since the epoch; 0 for all time.
        var slot: Int64
    }

    /// Nanoseconds in a minute.
    static let minute: Int64 = 60_000_000_000
    static let minutesPerHour: Int64 = 60
    static let hoursPerDay: Int64 = 24

    var requests: Int64 = 0
    var responses: Int64 = 0
    var failures: Int64 = 0
    var incomplete: Int64 = 0
    var incompleteUnanswered: Int64 = 0
    var notModified: Int64 = 0
    var newConnections: Int64 = 0
    var reusedConnections: Int64 = 0
    var encodedBody = ByteCount.zero
    var decodedBody = ByteCount.zero
    var sharing: Int64 = 0
    var overhead = ByteFlow.zero
    var packetHeaders = ByteFlow.zero
    var up = PartTotals()
    var down = PartTotals()
    var firstSeen = Int64.max
    var lastSeen = Int64.min
    var total = LatencyHistogram()
    var phases = PhaseLatencies()

    /// The minute of a moment, counted from the epoch.
    static func minute(of moment: Timestamp) -> Int64 { floor(moment.nanoseconds, minute) }

    /// The hour of a minute, counted from the epoch.
    static func hour(of minute: Int64) -> Int64 { floor(minute, minutesPerHour) }

    /// The day of an hour, counted from the epoch.
    static func day(of hour: Int64) -> Int64 { floor(hour, hoursPerDay) }

    /// The quotient, rounded down even before the epoch.
    static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : -((-(value + 1)) / unit) - 1
    }

    /// Adds an exchange that has ended, or, without an end, one that is still running.
    ///
    /// It does the same as ``TrafficTotal/add(_:)``, for the part of an exchange that the writer remembers.
    mutating func add(_ exchange: borrowing OpenExchange, end: ExchangeEnd?) {
        requests += 1
        up.count(exchange.up)
        if exchange.hasResponse {
            if exchange.isAnswered { responses += 1 }
            if exchange.status == 304 { notModified += 1 }
            down.count(exchange.down)
            encodedBody += exchange.encodedBody
            decodedBody += exchange.decodedBody
        }
        firstSeen = min(firstSeen, exchange.startedAt.nanoseconds)
        lastSeen = max(lastSeen, exchange.startedAt.nanoseconds)
        if exchange.hasFailed(end) { failures += 1 }
        guard let end else { return }
        if end.outcome == .incomplete {
            incomplete += 1
            if !exchange.isAnswered { incompleteUnanswered += 1 }
        }
        var timings = end.timings
        timings.total = end.duration(since: exchange.startedAt)
        if let duration = timings.total { total.record(nanoseconds: duration) }
        phases.record(timings)
        if end.connection != nil {
            if end.reusedConnection { reusedConnections += 1 } else { newConnections += 1 }
        }
        if let share = end.share {
            sharing += 1
            overhead += share.overhead
            packetHeaders += share.packetHeaders
        }
    }

    /// Adds the sums of other exchanges.
    mutating func merge(_ other: Rollup) {
        requests += other.requests
        responses += other.responses
        failures += other.failures
        incomplete += other.incomplete
        incompleteUnanswered += other.incompleteUnanswered
        notModified += other.notModified
        newConnections += other.newConnections
        reusedConnections += other.reusedConnections
        encodedBody += other.encodedBody
        decodedBody += other.decodedBody
        sharing += other.sharing
        overhead += other.overhead
        packetHeaders += other.packetHeaders
        up.merge(other.up)
        down.merge(other.down)
        firstSeen = min(firstSeen, other.firstSeen)
        lastSeen = max(lastSeen, other.lastSeen)
        total.merge(other.total)
        phases.merge(other.phases)
    }

    /// The sums in the form that reports use.
    func total(_ key: TrafficTotal.Key) -> TrafficTotal {
        var result = TrafficTotal(key: key)
        result.requests = requests
        result.responses = responses
        result.failures = failures
        result.incomplete = incomplete
        result.incompleteUnanswered = incompleteUnanswered
        result.notModified = notModified
        result.newConnections = newConnections
        result.reusedConnections = reusedConnections
        result.encodedBody = encodedBody
        result.decodedBody = decodedBody
        result.sharing = sharing
        result.overhead = overhead
        result.packetHeaders = packetHeaders
        result.up = up
        result.down = down
        result.latency = total
        result.phases = phases
        result.firstSeen = requests > 0 ? Timestamp(nanoseconds: firstSeen) : nil
        result.lastSeen = requests > 0 ? Timestamp(nanoseconds: lastSeen) : nil
        return result
    }
}

extension PartTotals {
    /// Adds one message, like ``add(_:)``, but without allocating arrays.
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
        if size.evidence == .unknown { unknown += 1 }
    }
}
