/// The bytes that the ledgers of many connections do not explain, and the rarer parts that they have.
public struct LedgerCoverage: Hashable, Sendable {
    /// A connection whose ledger does not add up.
    public struct Example: Hashable, Sendable {
        /// Its number in the store; nil if nothing is stored.
        public var connection: StoredConnection.ID?
        /// The peer, as `address:port`.
        public var peer: String

        /// An example with that number and that peer.
        public init(connection: StoredConnection.ID?, peer: String) {
            self.connection = connection
            self.peer = peer
        }
    }

    /// How many connections do not add up.
    public var unclosed: Int64 = 0
    /// Bytes that the kernel counted and no part of a ledger explains.
    public var unaccounted = ByteFlow.zero
    /// Bytes that messages and protocols have beyond what the kernel counted.
    public var excess = ByteFlow.zero
    /// How many connections have no count of the kernel.
    public var unknown: Int64 = 0
    /// How many connections have a TLS figure that is only the rest, because the plaintext was not counted.
    public var unproven: Int64 = 0
    /// How many connections have carried the bytes of protocols and no exchange, such as a TLS handshake alone.
    public var withoutExchange: Int64 = 0
    /// The overhead of those connections, which is no exchange's.
    public var overheadWithoutExchange = ByteFlow.zero
    /// Bytes of the rarer parts: those of ``ConnectionPart/rare``.
    public var parts: [ConnectionPart: ByteFlow] = [:]
    /// Some of the connections that do not add up: those with the most unexplained bytes, at most ``mostExamples``.
    public var examples: [Example] = []
    /// Whether all connections were looked at; false if only some of them are known, so that nothing follows.
    public var isWhole = true

    /// The largest number of examples.
    public static let mostExamples = 3

    /// A coverage without connections.
    public init() {}

    /// Whether each connection is known and adds up, the kernel's count proves it, and no messages went unseen.
    public var isComplete: Bool {
        isWhole && unclosed == 0 && unknown == 0 && unproven == 0 && parts[.unseen] == nil
    }

    /// Adds another coverage; its examples follow those already here.
    public mutating func merge(_ other: LedgerCoverage) {
        unclosed = unclosed.addingClamped(other.unclosed)
        unaccounted += other.unaccounted
        excess += other.excess
        unknown = unknown.addingClamped(other.unknown)
        unproven = unproven.addingClamped(other.unproven)
        withoutExchange = withoutExchange.addingClamped(other.withoutExchange)
        overheadWithoutExchange += other.overheadWithoutExchange
        for (part, flow) in other.parts { parts[part, default: .zero] += flow }
        isWhole = isWhole && other.isWhole
        examples = Array((examples + other.examples).prefix(Self.mostExamples))
    }
}

extension ConnectionRecord {
    /// Whether no exchange on the connection has ended yet: then a missing count is no gap.
    var isFresh: Bool { closedAt == nil && payloadUp == nil && load.exchanges == 0 }

    /// The coverage of this connection; nil if it adds up, proves that and has only the common parts.
    ///
    /// - Parameter id: its number in the store, which an example has; nil if nothing is stored.
    /// - Returns: the coverage.
    package func coverage(as id: StoredConnection.ID? = nil) -> LedgerCoverage? {
        if isFresh { return nil }
        guard let ledger else {
            var result = LedgerCoverage()
            result.unknown = 1
            return result
        }
        guard !ledger.isClosed || ledger.evidence == .reconstructed || !load.parts.isEmpty || unseen != nil else {
            return nil
        }
        var result = LedgerCoverage()
        if unseen != nil, load.exchanges == 0 {
            result.overheadWithoutExchange = ByteFlow(
                up: ByteCount(ledger.up.overhead), down: ByteCount(ledger.down.overhead))
            result.withoutExchange = result.overheadWithoutExchange == .zero ? 0 : 1
        }
        if !ledger.isClosed {
            result.unclosed = 1
            result.examples = [LedgerCoverage.Example(connection: id, peer: remoteAddress)]
        }
        // ByteCount is never below 0, so each sum has only the directions of its own sign.
        result.unaccounted = ByteFlow(up: ByteCount(ledger.up.unaccounted), down: ByteCount(ledger.down.unaccounted))
        result.excess = ByteFlow(
            up: ByteCount(0 &- ledger.up.unaccounted), down: ByteCount(0 &- ledger.down.unaccounted))
        if ledger.evidence == .reconstructed { result.unproven = 1 }
        result.parts = load.parts.filter { $0.value != .zero }
        return result
    }
}

/// Adds up the coverage of connections, each by its last record.
///
/// Only connections that have a coverage are remembered one by one, up to a limit. The examples have no numbers,
/// because nothing is stored.
package struct LedgerTally: Sendable {
    private static let most = 100_000
    private var known: [ConnectionID: LedgerCoverage] = [:]
    private var before = LedgerCoverage()

    /// A tally without connections.
    package init() {}

    /// Takes a record of a connection; it replaces an earlier one of the same connection.
    package mutating func add(_ record: ConnectionRecord) {
        known[record.connection] = record.coverage()
        guard known.count > Self.most else { return }
        before = coverage
        known.removeAll()
    }

    /// The coverage of all connections, those with the most unexplained bytes first.
    package var coverage: LedgerCoverage {
        var result = before
        let worst = known.sorted {
            let (one, other) = (Self.weight($0.value), Self.weight($1.value))
            return one != other ? one > other : $0.key.rawValue < $1.key.rawValue
        }
        for (_, coverage) in worst { result.merge(coverage) }
        return result
    }

    private static func weight(_ coverage: LedgerCoverage) -> Int64 {
        (coverage.unaccounted.total + coverage.excess.total).bytes
    }
}
