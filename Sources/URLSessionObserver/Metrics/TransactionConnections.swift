internal import TrafficModel

/// The connections that transactions of one process went over, found by their ends.
///
/// The system reports connections only as properties of the transactions that they carried, when a task is over. So nobody
/// reports that a connection was closed, and the transaction that opened one may be reported after those that reused it.
package struct TransactionConnections: Sendable {
    private struct Ends: Hashable {
        var local: String
        var remote: String
    }

    private struct Account {
        var record: ConnectionRecord
        /// Whether the transaction that opened it has been reported.
        var isOpenerKnown: Bool
        /// When the first request was sent on it, as far as that is known.
        var firstSentAt: Timestamp
        /// Grows with each use.
        var usedAt: Int64
    }

    /// One transaction, as its records have it.
    struct Use {
        var path: TransactionPath
        var isReused: Bool
        var isSecure: Bool
        var protocolName: String?
        /// When the attempt began.
        var beganAt: Timestamp
        /// When the connection was begun to be opened; nil where an earlier transaction had opened it.
        var connectedAt: Timestamp?
        /// When the request was sent.
        var sentAt: Timestamp
        var messages: ByteFlow
    }

    private var accounts: [Ends: Account] = [:]
    private var uses: Int64 = 0
    /// How many connections are remembered at most.
    ///
    /// One that is used again after it was forgotten gets a new record.
    private let limit: Int

    /// No connections yet.
    package init(limit: Int = 1_000) { self.limit = max(2, limit) }

    /// How many are remembered.
    var count: Int { accounts.count }

    /// Takes a transaction into account.
    ///
    /// - Parameters:
    ///   - use: the transaction.
    ///   - process: that made it.
    ///   - next: the number of a new connection.
    /// - Returns: the record of the connection that carried it; nil where none did.
    mutating func carry(_ use: Use, process: ProcessIdentity, next: () -> ConnectionID) -> ConnectionRecord? {
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
        if use.isSecure { account.record.tls = ConnectionRecord.TLS() }
        if let name = use.protocolName, !name.isEmpty { account.record.applicationProtocol = name.lowercased() }
        account.record.load.exchanges += 1
        account.record.load.messages = account.record.load.messages + use.messages
        accounts[ends] = account
        if accounts.count > limit { forget() }
        return account.record
    }

    /// Whether the transaction went over that connection, and not over a later one with the same ends.
    private func isOf(_ account: Account, _ use: Use) -> Bool {
        use.isReused || (!account.isOpenerKnown && (use.connectedAt ?? use.beganAt) <= account.firstSentAt)
    }

    private mutating func forget() {
        let recent = accounts.values.map(\.usedAt).sorted(by: >)
        let oldest = recent[limit / 2 - 1]
        accounts = accounts.filter { $0.value.usedAt >= oldest }
    }
}
