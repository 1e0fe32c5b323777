package import TrafficModel

/// The connections of one process: what each carried, the kernel's counts, and the records that follow from both.
///
/// The observer passes in what it sees, in the order in which it happened: messages, counts, plaintext, frames. It is
/// used by one thread at a time.
package struct ConnectionTable {
    var connections: ConnectionIndex
    var sessions: HTTP2SessionTable
    private var unused = UnusedConnections()

    /// Finds the network that a connection goes over.
    package var interfaces: any InterfaceLookup

    /// An empty table.
    ///
    /// - Parameters:
    ///   - limit: at most how many connections without traffic it remembers; half as many HTTP/2 sessions.
    ///   - interfaces: finds the network that a connection goes over.
    package init(limit: Int, interfaces: any InterfaceLookup = NoInterfaces()) {
        connections = ConnectionIndex(limit: limit)
        sessions = HTTP2SessionTable(limit: limit / 2)
        self.interfaces = interfaces
    }

    /// Finds or adds the connection of a request that is about to be sent.
    package mutating func use(
        _ ends: ConnectionEnds, by exchange: ExchangeID, isNew: Bool, isSecure: Bool, process: ProcessIdentity,
        direction: TrafficDirection = .called, at time: Timestamp, next: () -> ConnectionID
    ) -> ConnectionID? {
        guard ends.isKnown else { return nil }
        if !isNew, let place = connections.openPlace(of: ends) {
            connections.accounts.values[place].begin(exchange)
            return connections.accounts.values[place].record.connection
        }
        let record = ConnectionRecord(
            connection: next(), process: process, localAddress: ":\(ends.localPort)", remoteAddress: ends.remote,
            tls: isSecure ? ConnectionRecord.TLS() : nil, openedAt: time, direction: direction)
        var account = ConnectionAccount(record: record, wasOpen: !isNew)
        account.begin(exchange)
        connections.insert(account, at: ends)
        return record.connection
    }

    /// Adds a connection that the program itself uses for another protocol; none of its bytes belong to messages.
    package mutating func open(
        _ ends: ConnectionEnds, kernel: KernelCount?, process: ProcessIdentity, at time: Timestamp,
        next: () -> ConnectionID
    ) {
        // If there is one already, the program has called for it again.
        guard ends.isKnown, connections.openPlace(of: ends) == nil else { return }
        let record = ConnectionRecord(
            connection: next(), process: process, localAddress: ":\(ends.localPort)", remoteAddress: ends.remote,
            openedAt: time)
        var account = ConnectionAccount(record: record)
        account.upgrade()
        if let kernel {
            account.take(kernel, nil)
            account.settle(nil)
        }
        connections.insert(account, at: ends)
    }

    /// Records what is known about a connection once a request goes over it.
    ///
    /// - Returns: the overhead so far, that is the handshakes; it belongs to the exchange that opened the connection.
    package mutating func describe(_ description: ConnectionDescription) -> ConnectionShare? {
        let ends = description.ends
        guard var account = connections.accounts[ends], account.record.closedAt == nil else { return nil }
        if !description.localAddress.isEmpty {
            account.record.localAddress = ConnectionEnds.text(description.localAddress, ends.localPort)
            account.record.network = interfaces.network(local: description.localAddress, remote: ends.remoteAddress)
        }
        if description.usesTLS {
            account.take(ConnectionRecord.TLS(version: description.tlsVersion, cipher: description.cipher))
        } else if description.prelude.beginsTLS {
            // TLS to a proxy, by a library that the observer does not see.
            account.take(ConnectionRecord.TLS())
        }
        account.record.applicationProtocol = description.applicationProtocol
        account.take(description.prelude)
        var share: ConnectionShare?
        if let kernel = description.kernel, account.record.tls == nil || description.plaintext != nil {
            // Only for the share, because the messages so far are not known yet.
            var counted = account
            counted.take(kernel, description.plaintext)
            share = counted.takeShare(session(of: account))
            if let share { account.give(share) }
        }
        connections.update(account, at: ends)
        return share
    }

    /// Records the kernel's count at the end of an exchange.
    package mutating func count(_ kernel: KernelCount?, _ plaintext: PlaintextCount?, of ends: ConnectionEnds) {
        guard let kernel, let place = connections.openPlace(of: ends) else { return }
        connections.accounts.values[place].take(kernel, plaintext)
        connections.noteChange(place)
    }

    /// Records the kernel's last count of a connection that is closed now.
    ///
    /// - Parameters:
    ///   - socket: the count.
    ///   - time: when it was closed.
    ///   - monotonic: the same moment by the monotonic clock, in nanoseconds.
    package mutating func close(_ socket: SocketCount, at time: Timestamp, monotonic: UInt64 = .max) {
        guard let ends = connections.ends(of: socket), var account = connections.accounts[ends],
            account.record.closedAt == nil
        else { return unused.add(socket, closedAt: time) }
        account.take(socket)
        account.take(socket.prelude)
        account.isOver = true
        account.record.handshake = socket.handshake
        account.record.closedAt = time
        account.closedMonotonic = monotonic
        account.record.localAddress = ConnectionEnds.text(socket.localAddress, socket.ends.localPort)
        account.settle(session(of: account))
        connections.update(account, at: ends)
        connections.noteClose(of: account.record.connection, at: ends)
    }

    /// Records the count of a connection that is open as the program ends, perhaps while it sends close_notify.
    package mutating func leave(_ socket: SocketCount) {
        guard let place = connections.openPlace(of: socket.ends),
            // While an exchange runs, not all of its bytes have been reported.
            connections.accounts.values[place].open == 0
        else { return }
        connections.accounts.values[place].take(socket)
        connections.accounts.values[place].record.handshake = socket.handshake
        settle(place)
    }

    /// Adds the connection of a transfer that ended before it could send a request, such as in a handshake.
    ///
    /// - Parameters:
    ///   - ends: the ends of the connection, as far as the transfer knows them.
    ///   - isSecure: whether the request was to be sent in TLS.
    ///   - hasHandshake: whether the TLS handshake was complete by then; before that no plaintext can have passed.
    ///   - process: the process that made the connection.
    ///   - openedAt: when the attempt began.
    ///   - next: returns a number for the connection.
    /// - Returns: the connection and its overhead; nil if there was none, or nothing went over it.
    package mutating func adopt(
        _ ends: ConnectionEnds, isSecure: Bool, hasHandshake: Bool, process: ProcessIdentity, openedAt: Timestamp,
        next: () -> ConnectionID
    ) -> (connection: ConnectionID, share: ConnectionShare?)? {
        guard let (socket, closedAt) = unused.take(ends, openedAt: openedAt) else { return nil }
        let seen = socket.ends
        var account = ConnectionAccount(
            record: ConnectionRecord(
                connection: next(), process: process,
                localAddress: ConnectionEnds.text(socket.localAddress, seen.localPort),
                remoteAddress: ConnectionEnds.text(
                    seen.remoteAddress.isEmpty ? ends.remoteAddress : seen.remoteAddress,
                    seen.remotePort == 0 ? ends.remotePort : seen.remotePort),
                tls: isSecure ? ConnectionRecord.TLS() : nil, openedAt: openedAt))
        if !isSecure, socket.prelude.beginsTLS { account.take(ConnectionRecord.TLS()) }
        account.record.closedAt = closedAt
        account.isOver = true
        let nothing = PlaintextCount(sent: 0, received: 0)
        account.take(socket.kernel, socket.plaintext ?? (isSecure && !hasHandshake ? nothing : nil))
        account.take(socket.prelude)
        account.settle(nil)
        account.record.network = interfaces.network(local: socket.localAddress, remote: seen.remoteAddress)
        let share = account.takeShare(nil)
        connections.noteFinal(account.record)
        return (account.record.connection, share)
    }

    /// Updates the loads of connections whose kernel's count was never read; call it when metering ends.
    package mutating func settleUnknown() {
        for ends in Array(connections.accounts.keys) {
            guard let place = connections.accounts.index(forKey: ends),
                connections.accounts.values[place].record.payloadUp == nil
            else { continue }
            settle(place)
        }
    }

    /// The records that have changed since the last call.
    package mutating func takeChanges() -> [ConnectionRecord] { connections.takeChanges() }

    /// Brings the record of a connection up to date.
    mutating func settle(_ place: ConnectionIndex.Place) {
        connections.accounts.values[place].settle(session(of: connections.accounts.values[place]))
        connections.noteChange(place)
    }

    func session(of account: ConnectionAccount) -> HTTP2Session? { account.session.flatMap { sessions[$0] } }
}
