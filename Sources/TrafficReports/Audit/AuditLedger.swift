import TrafficModel

/// What one rule has put down, API by API.
struct AuditLedger {
    /// The sums of each API or host that something was put down for.
    private(set) var tallies: [AuditSubjectID: AuditTally] = [:]
    private let evidenceLimit: Int

    /// An empty ledger that keeps so many exchange numbers for each API.
    init(evidenceLimit: Int) { self.evidenceLimit = evidenceLimit }

    /// Puts down that an exchange wasted bytes or time.
    ///
    /// - Parameters:
    ///   - sighting: the exchange.
    ///   - bytes: that need not have been sent.
    ///   - nanoseconds: that need not have been spent.
    ///   - kind: what sort of waste, for the sentence; nil where a rule has only one.
    ///   - other: the exchange that wasted it where that is not the one that is looked at.
    mutating func claim(
        _ sighting: borrowing Sighting, bytes: Int64, nanoseconds: Int64 = 0, kind: String? = nil,
        other: ExchangeID? = nil
    ) {
        let exchange = other ?? sighting.exchange.request.exchange
        let isEstimated = !sighting.isCounted
        let limit = evidenceLimit
        change(.api(sighting.api)) { tally in
            tally.claim(exchange, bytes: bytes, nanoseconds: nanoseconds, kind: kind, evidenceLimit: limit)
            if isEstimated { tally.isEstimated = true }
        }
    }

    /// Changes the sums of an API or host.
    mutating func change(_ subject: AuditSubjectID, _ change: (inout AuditTally) -> Void) {
        change(&tallies[subject, default: AuditTally()])
    }

    /// Puts down for a whole host, or for a name.
    mutating func claim(
        _ sighting: borrowing Sighting, for subject: AuditSubjectID, bytes: Int64, nanoseconds: Int64
    ) {
        let exchange = sighting.exchange.request.exchange
        let limit = evidenceLimit
        change(subject) { tally in
            tally.claim(exchange, bytes: bytes, nanoseconds: nanoseconds, kind: nil, evidenceLimit: limit)
        }
    }

    /// Takes back what was put down for an exchange.
    mutating func revoke(
        _ exchange: ExchangeID, of api: Int, bytes: Int64, nanoseconds: Int64, kind: String
    ) {
        change(.api(api)) { tally in
            tally.calls -= 1
            tally.bytes -= bytes
            tally.nanoseconds -= nanoseconds
            tally.kinds[kind, default: 1] -= 1
            tally.evidence.removeAll { $0.exchange == exchange }
        }
    }
}

/// An API, a host or a name by its number in an audit.
enum AuditSubjectID: Hashable {
    case api(Int)
    /// A service: with its port where that is not the scheme's own.
    case host(Int)
    /// What is looked up: the host without a port.
    case name(Int)
}

/// The sums of one API under one rule.
struct AuditTally {
    /// Exchanges that wasted something.
    var calls = 0
    /// Bytes that they wasted.
    var bytes: Int64 = 0
    /// Nanoseconds that they wasted.
    var nanoseconds: Int64 = 0
    /// How many of each sort.
    var kinds: [String: Int] = [:]
    /// The exchanges that wasted most, with what they wasted.
    var evidence: [(exchange: ExchangeID, bytes: Int64, nanoseconds: Int64)] = []
    /// Whether a size that went into it was not counted on the wire.
    var isEstimated = false
    /// A rule's own count.
    var count = 0
    /// A rule's own sum.
    var sum: Int64 = 0

    /// Adds what an exchange wasted, and keeps its number if it is among the worst.
    mutating func claim(
        _ exchange: ExchangeID, bytes: Int64, nanoseconds: Int64, kind: String?, evidenceLimit: Int
    ) {
        calls += 1
        self.bytes += bytes
        self.nanoseconds += nanoseconds
        if let kind { kinds[kind, default: 0] += 1 }
        let place =
            evidence.firstIndex { ($0.bytes, $0.nanoseconds) < (bytes, nanoseconds) } ?? evidence.count
        guard place < evidenceLimit else { return }
        evidence.insert((exchange, bytes, nanoseconds), at: place)
        if evidence.count > evidenceLimit { evidence.removeLast() }
    }

    /// The sorts with their counts, the most frequent first: `404: 12, timed out: 3`.
    var kindList: AuditSentence.Value {
        let sorted = kinds.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return .kinds(
            sorted.prefix(4).map { AuditSentence.Kind(name: $0.key, count: Int64($0.value)) },
            hasMore: sorted.count > 4)
    }
}
