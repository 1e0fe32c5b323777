/// Sums over exchanges: counts, bytes by part, what single calls weigh, and latencies.
public struct TrafficSums: Hashable, Sendable {
    /// How many requests.
    public var requests: Int64 = 0
    /// How many of them have a response.
    public var responses: Int64 = 0
    /// How many failed: see ``Exchange/hasFailed``.
    public var failures: Int64 = 0
    /// How many exchanges the meter lost a part of; the outcome of these is not known.
    public var incomplete: Int64 = 0
    /// How many of the incomplete ones have no response in the record; whether one came is not known.
    public var incompleteUnanswered: Int64 = 0
    /// Bytes of the requests, by part.
    public var up = PartTotals()
    /// Bytes of the responses, by part.
    public var down = PartTotals()
    /// What each of the exchanges weighs whose end was seen.
    public var perCall = CallWeights()
    /// Durations of the exchanges that ended.
    public var latency = LatencyHistogram()
    /// The phases of these exchanges.
    public var phases = PhaseLatencies()
    /// How many responses had the status 304: the client's cached copy was still valid.
    public var notModified: Int64 = 0
    /// How many exchanges that ended opened a connection.
    public var newConnections: Int64 = 0
    /// How many exchanges that ended used a connection that was open already.
    public var reusedConnections: Int64 = 0
    /// Bytes as sent of the response bodies that have a content coding and a known decoded size.
    public var encodedBody = ByteCount.zero
    /// Bytes of the same bodies after decoding.
    public var decodedBody = ByteCount.zero
    /// How many exchanges that ended have a known ``ConnectionShare``.
    public var sharing: Int64 = 0
    /// What the connections of these exchanges carried for them in addition: TLS, and HTTP/2's own frames.
    public var overhead = ByteFlow.zero
    /// An estimate of the headers of IP and TCP of these exchanges.
    public var packetHeaders = ByteFlow.zero
    /// When the first request began.
    public var firstSeen: Timestamp?
    /// When the last request began.
    public var lastSeen: Timestamp?

    /// The sums of no exchanges.
    public init() {}

    /// Adds one exchange; one without an end counts with the bytes seen so far.
    public mutating func add(_ exchange: Exchange) { add(ExchangeFigures(exchange), end: exchange.end) }

    /// Adds an exchange that has ended, or, without an end, one that is still running.
    package mutating func add(_ exchange: borrowing ExchangeFigures, end: ExchangeEnd?) {
        let startedAt = exchange.startedAt
        add(exchange, end.map { EndFigures($0, since: startedAt) })
    }

    /// Adds an exchange that has ended, or, without an end, one that is still running.
    package mutating func add(_ exchange: borrowing ExchangeFigures, _ end: EndFigures?) {
        if let end { add(exchange, endedBy: end) } else { add(running: exchange) }
    }

    /// Adds an exchange that is still running.
    package mutating func add(running exchange: borrowing ExchangeFigures) {
        addMessages(of: exchange)
        if exchange.hasFailed(with: nil) { failures += 1 }
    }

    private mutating func addMessages(of exchange: borrowing ExchangeFigures) {
        requests += 1
        up.add(exchange.up)
        if exchange.hasResponse {
            if exchange.isAnswered { responses += 1 }
            if exchange.status == 304 { notModified += 1 }
            down.add(exchange.down)
            encodedBody += exchange.encodedBody
            decodedBody += exchange.decodedBody
        }
        see(from: exchange.startedAt, to: exchange.startedAt)
    }

    /// Adds an exchange that has ended.
    package mutating func add(_ exchange: borrowing ExchangeFigures, endedBy end: borrowing EndFigures) {
        addNumbers(of: exchange, endedBy: end)
        if let weight = exchange.weight(endedBy: end) { perCall.record(weight) }
        if let duration = end.timings.total { latency.record(nanoseconds: duration) }
        phases.record(end.timings)
    }

    /// Adds an exchange that has ended to all sums but the histograms.
    package mutating func addNumbers(of exchange: borrowing ExchangeFigures, endedBy end: borrowing EndFigures) {
        addMessages(of: exchange)
        if exchange.hasFailed(outcomeIsFailure: end.isFailure) { failures += 1 }
        if end.isIncomplete {
            incomplete += 1
            if !exchange.isAnswered { incompleteUnanswered += 1 }
        }
        if let reused = end.reusedConnection {
            if reused { reusedConnections += 1 } else { newConnections += 1 }
        }
        guard let share = end.share else { return }
        sharing += 1
        overhead += share.overhead
        packetHeaders += share.packetHeaders
    }

    /// Extends the time from the first to the last request.
    package mutating func see(from first: Timestamp, to last: Timestamp) {
        firstSeen = min(firstSeen ?? first, first)
        lastSeen = max(lastSeen ?? last, last)
    }

    /// Adds the sums of other exchanges.
    public mutating func merge(_ other: TrafficSums) {
        requests = requests.addingClamped(other.requests)
        responses = responses.addingClamped(other.responses)
        failures = failures.addingClamped(other.failures)
        incomplete = incomplete.addingClamped(other.incomplete)
        incompleteUnanswered = incompleteUnanswered.addingClamped(other.incompleteUnanswered)
        up.merge(other.up)
        down.merge(other.down)
        perCall.merge(other.perCall)
        latency.merge(other.latency)
        phases.merge(other.phases)
        notModified = notModified.addingClamped(other.notModified)
        newConnections = newConnections.addingClamped(other.newConnections)
        reusedConnections = reusedConnections.addingClamped(other.reusedConnections)
        encodedBody += other.encodedBody
        decodedBody += other.decodedBody
        sharing = sharing.addingClamped(other.sharing)
        overhead += other.overhead
        packetHeaders += other.packetHeaders
        firstSeen = other.firstSeen.map { min(firstSeen ?? $0, $0) } ?? firstSeen
        lastSeen = other.lastSeen.map { max(lastSeen ?? $0, $0) } ?? lastSeen
    }
}
