internal import TrafficModel

/// The accounts of a process's connections, found by their ends, and those whose records have changed.
///
/// Its size is bounded, because a program may close sockets unseen.
struct ConnectionIndex {
    typealias Place = AccountTable.Place

    var accounts = AccountTable()
    /// When there are this many connections, those that carry nothing are looked through to forget the older half.
    private let limit: Int
    private var mostAccounts: Int
    /// Closed connections, the oldest first, each with its number, because another connection may have its ends by now.
    private var closedOrder: [(ends: ConnectionEnds, connection: ConnectionID)] = []
    private var changed: [ConnectionEnds] = []
    /// Changed records of connections that cannot be found by their ends any more.
    private var replaced: [ConnectionRecord] = []

    init(limit: Int) {
        self.limit = limit
        mostAccounts = limit
    }

    /// The place of an open connection with these ends.
    func openPlace(of ends: ConnectionEnds) -> Place? {
        guard let place = accounts.index(forKey: ends), accounts.values[place].record.closedAt == nil else {
            return nil
        }
        return place
    }

    /// The place of an exchange's connection; nil if another connection has its ends by now.
    func place(of transport: ExchangeTransport) -> Place? {
        guard let ends = transport.ends, let connection = transport.connection,
            let place = accounts.index(forKey: ends), accounts.values[place].record.connection == connection
        else { return nil }
        return place
    }

    /// The ends of the connection whose last count this is.
    ///
    /// After a reset the kernel has forgotten the peer. The local port is enough to find a connection that the program
    /// has opened and that is still open.
    func ends(of socket: SocketCount) -> ConnectionEnds? {
        if accounts.index(forKey: socket.ends) != nil { return socket.ends }
        let place = accounts.keys.indices.first {
            accounts.keys[$0].localPort == socket.ends.localPort && accounts.values[$0].record.closedAt == nil
                && accounts.values[$0].record.direction == .called
        }
        return place.map { accounts.keys[$0] }
    }

    /// Adds a connection, in place of an earlier one with the same ends.
    mutating func insert(_ account: ConnectionAccount, at ends: ConnectionEnds) {
        if let old = accounts[ends], old.hasChanged { replaced.append(old.record) }
        if accounts.count >= mostAccounts { forgetIdle() }
        accounts[ends] = account
        noteChange(ends)
    }

    /// Replaces a connection's account by its newer state.
    mutating func update(_ account: ConnectionAccount, at ends: ConnectionEnds) {
        accounts[ends] = account
        noteChange(ends)
    }

    // MARK: forgetting

    /// Remembers that a connection is closed, and forgets the older half of the closed ones if there are too many.
    ///
    /// After its close a connection is needed only once more, at the end of the exchange that it carried.
    mutating func noteClose(of connection: ConnectionID, at ends: ConnectionEnds) {
        closedOrder.append((ends, connection))
        guard closedOrder.count > limit / 4 else { return }
        for old in closedOrder.prefix(limit / 8) {
            guard let account = accounts[old.ends], account.record.connection == old.connection else { continue }
            if account.hasChanged { replaced.append(account.record) }
            accounts[old.ends] = nil
        }
        closedOrder.removeFirst(limit / 8)
    }

    /// Forgets the older half of the connections that carry nothing: the observer does not learn of every close.
    ///
    /// If such a connection is still open and used again, it counts as one that was open before.
    private mutating func forgetIdle() {
        let idle = zip(accounts.keys, accounts.values).filter { $1.open == 0 }.sorted {
            $0.1.record.connection.rawValue < $1.1.record.connection.rawValue
        }
        for (ends, account) in idle.prefix(idle.count / 2) {
            if account.hasChanged { replaced.append(account.record) }
            accounts[ends] = nil
        }
        // If many more than usual are in use, they are not looked through again for each new one.
        mostAccounts = max(limit, 2 * accounts.count)
    }

    // MARK: changes

    mutating func noteChange(_ ends: ConnectionEnds) {
        if let place = accounts.index(forKey: ends) { noteChange(place) }
    }

    mutating func noteChange(_ place: Place) {
        if accounts.values[place].hasChanged { return }
        accounts.values[place].hasChanged = true
        changed.append(accounts.keys[place])
    }

    /// Adds the final record of a connection that has no account.
    mutating func noteFinal(_ record: ConnectionRecord) { replaced.append(record) }

    /// The records that have changed since the last call.
    mutating func takeChanges() -> [ConnectionRecord] {
        guard !changed.isEmpty || !replaced.isEmpty else { return [] }
        var records = replaced
        for ends in changed {
            guard let place = accounts.index(forKey: ends), accounts.values[place].hasChanged else { continue }
            accounts.values[place].hasChanged = false
            records.append(accounts.values[place].record)
        }
        changed = []
        replaced = []
        return records
    }
}
