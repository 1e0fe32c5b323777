/// What the ledgers of many connections leave open, and what they name beside messages, TLS and HTTP/2.
public struct LedgerCoverage: Hashable, Sendable {
    /// A connection that does not add up.
    public struct Example: Hashable, Sendable {
        /// Its number in the store; nil where nothing is stored.
        public var connection: ConnectionID?
        /// The peer, as `address:port`.
        public var peer: String

        /// A connection of that number to that peer.
        public init(connection: ConnectionID?, peer: String) {
            self.connection = connection
            self.peer = peer
        }
    }

    /// How many connections do not add up.
    public var unclosed: Int64 = 0
    /// Bytes that the kernel counted and nothing explains.
    public var unaccounted = ByteFlow.zero
    /// Bytes of messages and protocols beyond what the kernel counted.
    public var excess = ByteFlow.zero
    /// Of how many connections the kernel's count is not known.
    public var unknown: Int64 = 0
    /// On how many connections TLS takes whatever is not a message, because what went through it was not counted.
    public var unproven: Int64 = 0
    /// What else the connections carried, by the parts of ``ConnectionPart/rare``.
    public var parts: [ConnectionPart: ByteFlow] = [:]
    /// Some of the connections that do not add up: those with the most bytes that nothing explains, at most
    /// ``mostExamples``.
    public var examples: [Example] = []

    /// How many connections are named.
    public static let mostExamples = 3

    /// Nothing is open.
    public init() {}

    /// Whether each connection adds up, and proves that by a count of the kernel's.
    public var isComplete: Bool { unclosed == 0 && unknown == 0 && unproven == 0 }

    /// Adds another's figures, its examples behind those that there are.
    public mutating func merge(_ other: LedgerCoverage) {
        unclosed += other.unclosed
        unaccounted += other.unaccounted
        excess += other.excess
        unknown += other.unknown
        unproven += other.unproven
        for (part, flow) in other.parts { parts[part, default: .zero] += flow }
        examples = Array((examples + other.examples).prefix(Self.mostExamples))
    }
}

extension ConnectionRecord {
    /// Whether no exchange on it has ended yet, so that nothing is known to be missing.
    var isFresh: Bool { closedAt == nil && sent == nil && load.exchanges == 0 }

    /// What this connection leaves open or names; nil where it is as most are.
    package var coverage: LedgerCoverage? {
        if isFresh { return nil }
        guard let ledger else {
            var result = LedgerCoverage()
            result.unknown = 1
            return result
        }
        guard !ledger.isClosed || ledger.evidence == .reconstructed || !load.parts.isEmpty else { return nil }
        var result = LedgerCoverage()
        if !ledger.isClosed {
            result.unclosed = 1
            result.examples = [LedgerCoverage.Example(connection: connection, peer: remoteAddress)]
        }
        // ByteCount is never below 0.
        result.unaccounted = ByteFlow(up: ByteCount(ledger.up.unaccounted), down: ByteCount(ledger.down.unaccounted))
        result.excess = ByteFlow(
            up: ByteCount(0 &- ledger.up.unaccounted), down: ByteCount(0 &- ledger.down.unaccounted))
        if ledger.evidence == .reconstructed { result.unproven = 1 }
        result.parts = load.parts.filter { $0.value != .zero }
        return result
    }
}

/// Adds up what connections leave open, each by its last record.
///
/// Only those that leave something open are remembered one by one, and only so many. Its examples have no numbers: those
/// of events are not those of a store.
package struct LedgerTally: Sendable {
    private static let most = 100_000
    private var known: [ConnectionID: LedgerCoverage] = [:]
    private var before = LedgerCoverage()

    /// No connections yet.
    package init() {}

    /// Takes a record of a connection in the place of the one before.
    package mutating func add(_ record: ConnectionRecord) {
        known[record.connection] = record.coverage
        guard known.count > Self.most else { return }
        before = coverage
        known.removeAll()
    }

    /// What they leave open together.
    package var coverage: LedgerCoverage {
        var result = before
        let worst = known.sorted {
            let (one, other) = (Self.weight($0.value), Self.weight($1.value))
            return one != other ? one > other : $0.key.rawValue < $1.key.rawValue
        }
        for (_, coverage) in worst { result.merge(coverage) }
        for place in result.examples.indices { result.examples[place].connection = nil }
        return result
    }

    private static func weight(_ coverage: LedgerCoverage) -> Int64 {
        (coverage.unaccounted.total + coverage.excess.total).bytes
    }
}
