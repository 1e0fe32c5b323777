internal import TrafficModel

/// The connections of one process's transactions, identified by the addresses and ports of their ends.
///
/// The system reports connections only as properties of their transactions, when a task has ended. So the close of a
/// connection is never reported, and the transaction that opened it may be reported after those that reused it.
package struct TransactionConnections: Sendable {
    private struct Ends: Hashable {
        var local: String
        var remote: String
    }

    private struct Account {
        var record: ConnectionRecord
        /// Whether the transaction that opened it has been reported.
        var isOpenerKnown: Bool
        /// When the first known request was sent on it.
        var firstSentAt: Timestamp
        /// A counter value that grows with each use, to find the connection that was not used for longest.
        var usedAt: Int64
    }

    /// The times and ends of one transaction.
    struct Use {
        var path: TransactionPath
        var isReused: Bool
        var isSecure: Bool
        /// What both ends agreed on, if the system reports it.
        var tls: ConnectionRecord.TLS?
        var protocolName: String?
        /// When the attempt began.
        var beganAt: Timestamp
        /// When opening the connection started; nil if an earlier transaction had opened it.
        var connectedAt: Timestamp?
        /// When the request was sent.
        var sentAt: Timestamp
        var messages: ByteFlow
    }

    private var accounts: [Ends: Account] = [:]
    private var uses: Int64 = 0
    /// The most connections to remember.
    ///
    /// A forgotten connection gets a new record if it is used again.
    private let limit: Int

    /// Makes an empty set of connections with room for `limit`.
    package init(limit: Int = 1_000) { self.limit = max(2, limit) }

    /// The number of remembered connections.
    var count: Int { accounts.count }

    /// Assigns a transaction to its connection.
    ///
    /// - Parameters:
    ///   - use: the transaction.
    ///   - process: the process that made it.
    ///   - next: returns the number of a new connection.
    /// - Returns: the record of the connection that carried it; nil if none did.
    mutating func add(_ use: Use, process: ProcessIdentity, next: () -> ConnectionID) -> ConnectionRecord? {
        let ends = Ends(local: use.path.local, remote: use.path.remote)
        guard let network = use.path.network else { return nil }
        uses += 1
        var account =
            accounts[ends].flatMap { isOf($0, use) ? $0 : nil }
            ?? Account(
                record: ConnectionRecord(
                    connection: next(), process: process, localAddress: ends.local, remoteAddress: ends.remote,
                    openedAt: use.beganAt),
                isOpenerKnown: false, firstSentAt: use.sentAt, usedAt: uses)
        if !use.isReused { account.isOpenerKnown = true }
        account.firstSentAt = min(account.firstSentAt, use.sentAt)
        account.usedAt = uses
        account.record.openedAt = min(account.record.openedAt, use.beganAt)
        account.record.network = network
        // A later transaction may not have what an earlier one had.
        if use.isSecure { account.record.tls = use.tls ?? account.record.tls ?? ConnectionRecord.TLS() }
        if let name = use.protocolName, !name.isEmpty { account.record.applicationProtocol = name.lowercased() }
        account.record.load.exchanges += 1
        account.record.load.messages = account.record.load.messages + use.messages
        accounts[ends] = account
        if accounts.count > limit { forget() }
        return account.record
    }

    /// Whether the transaction went over that connection, and not over a later one with the same addresses and ports.
    private func isOf(_ account: Account, _ use: Use) -> Bool {
        use.isReused || (!account.isOpenerKnown && (use.connectedAt ?? use.beganAt) <= account.firstSentAt)
    }

    private mutating func forget() {
        let recent = accounts.values.map(\.usedAt).sorted(by: >)
        let oldest = recent[limit / 2 - 1]
        accounts = accounts.filter { $0.value.usedAt >= oldest }
    }
}
