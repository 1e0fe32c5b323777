import TrafficModel

/// The waste that one rule has recorded, by API.
struct AuditLedger {
    /// The sums of each API, host or name for which waste was recorded.
    private(set) var tallies: [AuditSubjectID: AuditTally] = [:]
    private let evidenceLimit: Int

    /// Creates an empty ledger that keeps at most `evidenceLimit` exchange numbers for each subject.
    init(evidenceLimit: Int) { self.evidenceLimit = evidenceLimit }

    /// Records that an exchange wasted bytes or time.
    ///
    /// - Parameters:
    ///   - audited: the exchange that the rule examines.
    ///   - bytes: the bytes that need not have been sent.
    ///   - nanoseconds: the time that need not have been spent.
    ///   - kind: the kind of waste, for the sentence; nil if the rule has only one.
    ///   - other: the exchange that wasted it, if it is not the one that is examined.
    mutating func claim(
        _ audited: borrowing AuditedExchange, bytes: Int64, nanoseconds: Int64 = 0, kind: String? = nil,
        other: StoredExchange.ID? = nil
    ) {
        let exchange = other ?? audited.exchange.id
        let isEstimated = !audited.isCounted
        let limit = evidenceLimit
        change(.api(audited.api)) { tally in
            tally.claim(exchange, bytes: bytes, nanoseconds: nanoseconds, kind: kind, evidenceLimit: limit)
            if isEstimated { tally.isEstimated = true }
        }
    }

    /// Changes the sums of an API, host or name.
    mutating func change(_ subject: AuditSubjectID, _ change: (inout AuditTally) -> Void) {
        change(&tallies[subject, default: AuditTally()])
    }

    /// Records waste of a whole host, or of a name.
    mutating func claim(
        _ audited: borrowing AuditedExchange, for subject: AuditSubjectID, bytes: Int64, nanoseconds: Int64
    ) {
        let exchange = audited.exchange.id
        let limit = evidenceLimit
        change(subject) { tally in
            tally.claim(exchange, bytes: bytes, nanoseconds: nanoseconds, kind: nil, evidenceLimit: limit)
        }
    }

    /// Removes the waste that was recorded for an exchange.
    mutating func revoke(
        _ exchange: StoredExchange.ID, of api: Int, bytes: Int64, nanoseconds: Int64, kind: String
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

/// The subject of a finding, by its number in an audit.
enum AuditSubjectID: Hashable {
    case api(Int)
    /// A host; with its port unless that is the scheme's default.
    case host(Int)
    /// A name that is looked up: the host without a port.
    case name(Int)
}

/// The sums of one API, host or name under one rule.
struct AuditTally {
    /// The number of exchanges that wasted something.
    var calls = 0
    /// The bytes that they wasted.
    var bytes: Int64 = 0
    /// The nanoseconds that they wasted.
    var nanoseconds: Int64 = 0
    /// The number of exchanges by kind of waste.
    var kinds: [String: Int] = [:]
    /// The exchanges that wasted most, with what they wasted.
    var evidence: [(exchange: StoredExchange.ID, bytes: Int64, nanoseconds: Int64)] = []
    /// Whether one of the sizes was not counted on the wire.
    var isEstimated = false
    /// A count that each rule may use for its own purpose.
    var count = 0
    /// A sum that each rule may use for its own purpose.
    var sum: Int64 = 0

    /// Adds what an exchange wasted, and keeps the exchange's number if it is among the worst.
    mutating func claim(
        _ exchange: StoredExchange.ID, bytes: Int64, nanoseconds: Int64, kind: String?, evidenceLimit: Int
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

    /// The kinds with their counts, the most frequent first: `404: 12, timed out: 3`.
    var kindList: AuditSentence.Value {
        let sorted = kinds.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return .kinds(
            sorted.prefix(4).map { AuditSentence.Kind(name: $0.key, count: Int64($0.value)) },
            hasMore: sorted.count > 4)
    }
}
