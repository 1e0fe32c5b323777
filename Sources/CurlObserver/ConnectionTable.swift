internal import TrafficModel

/// The connections of one process, found by their ends.
struct ConnectionTable {
    private struct Ends: Hashable {
        var localPort: UInt32
        var remotePort: UInt32
        var remoteAddress: String
    }

    private var accounts: [Ends: ConnectionAccount] = [:]
    /// When there are this many connections, those that carry nothing are looked through to forget the older half.
    private let limit: Int
    private var mostAccounts: Int
    private var mostSessions: Int
    private var sessions: [UInt64: HTTP2Session] = [:]
    /// The ends of the connection that carries a session.
    private var carriers: [UInt64: Ends] = [:]
    private var sessionOrder: [UInt64] = []
    private var untold: [Ends] = []
    /// Records still to be sent, of connections that cannot be found by their ends any more.
    private var replaced: [ConnectionRecord] = []
    /// Closed connections, the oldest first, each with its number, because another connection may have its ends by now.
    private var closedOrder: [(ends: Ends, connection: ConnectionID)] = []
    /// Connections that carried bytes, but never a request, such as failed handshakes.
    private var unused: [(socket: TapFrame.SocketCount, closedAt: Timestamp)] = []

    /// Finds the network that a connection goes over.
    var interfaces: any InterfaceLookup

    init(limit: Int, interfaces: any InterfaceLookup = NoInterfaces()) {
        self.limit = limit
        self.interfaces = interfaces
        mostAccounts = limit
        mostSessions = limit / 2
    }

    /// Finds or adds the connection of a request that is about to be sent.
    mutating func use(
        _ request: TapFrame.Request, by exchange: ExchangeID, isNew: Bool, isSecure: Bool, process: ProcessIdentity,
        at time: Timestamp, next: () -> ConnectionID
    ) -> ConnectionID? {
        guard request.localPort != 0 else { return nil }
        let ends = Self.ends(of: request)
        if !isNew, let place = accounts.index(forKey: ends), accounts.values[place].record.closedAt == nil {
            accounts.values[place].begin(exchange)
            return accounts.values[place].record.connection
        }
        let record = ConnectionRecord(
            connection: next(), process: process, localAddress: ":\(request.localPort)",
            remoteAddress: Self.address(request.remoteAddress, request.remotePort),
            tls: isSecure ? ConnectionRecord.TLS() : nil, openedAt: time)
        if let old = accounts[ends], old.isUntold { replaced.append(old.record) }
        if accounts.count >= mostAccounts { forgetIdle() }
        var account = ConnectionAccount(record: record, wasOpen: !isNew)
        account.begin(exchange)
        accounts[ends] = account
        tellLater(ends)
        return record.connection
    }

    /// Adds a connection that libcurl has made for the program to use itself; none of its bytes belong to messages.
    mutating func open(
        _ end: TapFrame.End, process: ProcessIdentity, at time: Timestamp, next: () -> ConnectionID
    ) {
        guard end.localPort != 0 else { return }
        let ends = Ends(localPort: end.localPort, remotePort: end.remotePort, remoteAddress: end.remoteAddress)
        if let old = accounts[ends] {
            // The program has called libcurl for it again.
            if old.record.closedAt == nil { return }
            if old.isUntold { replaced.append(old.record) }
        }
        if accounts.count >= mostAccounts { forgetIdle() }
        let record = ConnectionRecord(
            connection: next(), process: process, localAddress: ":\(end.localPort)",
            remoteAddress: Self.address(end.remoteAddress, end.remotePort), openedAt: time)
        accounts[ends] = ConnectionAccount(record: record)
        accounts[ends]?.upgrade()
        if let kernel = end.kernel {
            accounts[ends]?.take(kernel, nil)
            accounts[ends]?.settle(nil)
        }
        tellLater(ends)
    }

    /// Records that the connection of that exchange has switched to another protocol.
    mutating func upgrade(_ exchange: ObservedExchange) {
        if let place = place(of: exchange) { accounts.values[place].upgrade() }
    }

    /// Records what the tap reports about a connection once a request goes over it.
    ///
    /// - Returns: the overhead so far, that is the handshakes; it belongs to the exchange that opened the connection.
    mutating func describe(_ connection: TapFrame.Connection) -> ConnectionShare? {
        let ends = Ends(
            localPort: connection.localPort, remotePort: connection.remotePort,
            remoteAddress: connection.remoteAddress)
        guard var account = accounts[ends], account.record.closedAt == nil else { return nil }
        if !connection.localAddress.isEmpty {
            account.record.localAddress = Self.address(connection.localAddress, connection.localPort)
            account.record.network = interfaces.network(
                local: connection.localAddress, remote: connection.remoteAddress)
        }
        if connection.usesTLS {
            account.take(ConnectionRecord.TLS(version: connection.tlsVersion, cipher: connection.cipher))
        } else if connection.prelude.beginsTLS {
            // TLS to a proxy, by a library that the tap does not see.
            account.take(ConnectionRecord.TLS())
        }
        account.record.applicationProtocol = connection.applicationProtocol
        account.take(connection.prelude)
        var share: ConnectionShare?
        if let kernel = connection.kernel, account.record.tls == nil || connection.plaintext != nil {
            // Only for the share, because the messages so far are not known yet.
            var counted = account
            counted.take(kernel, connection.plaintext)
            share = counted.takeShare(session(of: account))
            if let share { account.give(share) }
        }
        accounts[ends] = account
        tellLater(ends)
        return share
    }

    /// Records the kernel's count at the end of an exchange.
    mutating func count(_ end: TapFrame.End) {
        guard let kernel = end.kernel else { return }
        let ends = Ends(localPort: end.localPort, remotePort: end.remotePort, remoteAddress: end.remoteAddress)
        guard let place = accounts.index(forKey: ends), accounts.values[place].record.closedAt == nil else { return }
        accounts.values[place].take(kernel, end.plaintext)
        tellLater(place)
    }

    /// Records the kernel's last count.
    mutating func close(_ socket: TapFrame.SocketCount, at time: Timestamp, monotonic: UInt64 = .max) {
        let exact = Ends(
            localPort: socket.localPort, remotePort: socket.remotePort, remoteAddress: socket.remoteAddress)
        // After a reset the kernel has forgotten the peer. The local port is enough to find a connection that is still
        // open.
        let ends =
            accounts[exact] != nil
            ? exact
            : accounts.first { $0.key.localPort == socket.localPort && $0.value.record.closedAt == nil }?.key
        guard let ends, var account = accounts[ends], account.record.closedAt == nil else {
            // Its transfer ends next, and that frame shows whether the connection was to carry HTTP.
            if socket.kernel.sent > 0 || socket.kernel.received > 0 {
                if unused.count >= 64 { unused.removeFirst(32) }
                unused.append((socket, time))
            }
            return
        }
        account.take(socket.kernel, socket.plaintext)
        account.take(socket.prelude)
        account.take(socket.webSocket)
        account.isOver = true
        account.record.closedAt = time
        account.closedMonotonic = monotonic
        account.record.localAddress = Self.address(socket.localAddress, socket.localPort)
        account.settle(session(of: account))
        accounts[ends] = account
        tellLater(ends)
        closedOrder.append((ends, account.record.connection))
        if closedOrder.count > limit / 4 { forgetClosed() }
    }

    /// Forgets the older half of the closed connections.
    ///
    /// After its close a connection is needed only once more, at the end of the exchange that it carried.
    private mutating func forgetClosed() {
        for old in closedOrder.prefix(limit / 8) {
            guard let account = accounts[old.ends], account.record.connection == old.connection else { continue }
            if account.isUntold { replaced.append(account.record) }
            accounts[old.ends] = nil
        }
        closedOrder.removeFirst(limit / 8)
    }

    /// Records the count of a connection that is open as the program ends, perhaps while it sends its farewell.
    mutating func leave(_ socket: TapFrame.SocketCount) {
        let ends = Ends(
            localPort: socket.localPort, remotePort: socket.remotePort, remoteAddress: socket.remoteAddress)
        guard let place = accounts.index(forKey: ends), accounts.values[place].record.closedAt == nil,
            // While an exchange runs, the tap has not reported all of its bytes.
            accounts.values[place].open == 0
        else { return }
        accounts.values[place].take(socket.kernel, socket.plaintext)
        accounts.values[place].take(socket.webSocket)
        accounts.values[place].settle(session(of: accounts.values[place]))
        tellLater(place)
    }

    /// Forgets the older half of the connections that carry nothing: a program may close sockets without libcurl, and
    /// the observer does not learn of that.
    ///
    /// If such a connection is still open and used again, it counts as one that was open before.
    private mutating func forgetIdle() {
        let idle = accounts.filter { $0.value.open == 0 }.sorted {
            $0.value.record.connection.rawValue < $1.value.record.connection.rawValue
        }
        for (ends, account) in idle.prefix(idle.count / 2) {
            if account.isUntold { replaced.append(account.record) }
            accounts[ends] = nil
        }
        // If many more than usual are in use, they are not looked through again for each new one.
        mostAccounts = max(limit, 2 * accounts.count)
    }

    /// Adds the connection of a transfer that ended before it could send a request, such as in a handshake.
    ///
    /// - Parameters:
    ///   - end: the transfer's end.
    ///   - isSecure: whether the request was to be sent in TLS.
    ///   - hasHandshake: whether the TLS handshake was complete by then; before that no plaintext can have passed.
    ///   - process: the process that made the connection.
    ///   - openedAt: when the attempt began.
    ///   - next: returns a number for the connection.
    /// - Returns: the connection and its overhead; nil if there was none, or nothing went over it.
    mutating func adopt(
        _ end: TapFrame.End, isSecure: Bool, hasHandshake: Bool, process: ProcessIdentity, openedAt: Timestamp,
        next: () -> ConnectionID
    ) -> (connection: ConnectionID, share: ConnectionShare?)? {
        let place = unused.lastIndex {
            // A connection that was closed before the transfer began belongs to another one.
            guard $0.closedAt >= openedAt else { return false }
            if end.localPort != 0 { return $0.socket.localPort == end.localPort }
            // After a reset the kernel has forgotten the peer, and a refused transfer has none: two unknown peers do
            // not match.
            return end.remotePort != 0 && $0.socket.remotePort == end.remotePort
                && $0.socket.remoteAddress == end.remoteAddress
        }
        guard let place else { return nil }
        let (socket, closedAt) = unused.remove(at: place)
        var account = ConnectionAccount(
            record: ConnectionRecord(
                connection: next(), process: process,
                localAddress: Self.address(socket.localAddress, socket.localPort),
                remoteAddress: Self.address(
                    socket.remoteAddress.isEmpty ? end.remoteAddress : socket.remoteAddress,
                    socket.remotePort == 0 ? end.remotePort : socket.remotePort),
                tls: isSecure ? ConnectionRecord.TLS() : nil, openedAt: openedAt))
        if !isSecure, socket.prelude.beginsTLS { account.take(ConnectionRecord.TLS()) }
        account.record.closedAt = closedAt
        account.isOver = true
        let nothing = TapFrame.Plaintext(sent: 0, received: 0)
        account.take(socket.kernel, socket.plaintext ?? (isSecure && !hasHandshake ? nothing : nil))
        account.take(socket.prelude)
        account.settle(nil)
        account.record.network = interfaces.network(local: socket.localAddress, remote: socket.remoteAddress)
        let share = account.takeShare(nil)
        replaced.append(account.record)
        return (account.record.connection, share)
    }

    /// Updates the loads of connections whose kernel's count was never read; call it when metering ends.
    mutating func settleUnknown() {
        for ends in Array(accounts.keys) {
            guard let place = accounts.index(forKey: ends), accounts.values[place].record.sent == nil else { continue }
            accounts.values[place].settle(session(of: accounts.values[place]))
            tellLater(place)
        }
    }

    // MARK: exchanges

    /// Compares the sum of a connection's messages, this exchange included, with the kernel's count.
    ///
    /// - Parameters:
    ///   - exchange: the exchange that has ended.
    ///   - size: its messages as libcurl showed them.
    ///   - isPlain: whether it is HTTP/1 without TLS; a single other message makes this sum useless for the connection.
    ///   - received: the bytes that had come when all of the response had, inside of TLS if there is any; nil if that
    ///     was not recorded.
    ///   - room: how many more bytes the response can have; nil if its headers set no limit.
    ///   - isIncomplete: whether the meter has lost parts of it; then the kernel's count proves nothing any more.
    /// - Returns: the bytes to subtract from the request and to add to the response.
    mutating func correction(
        of exchange: ObservedExchange, _ size: ByteFlow, isPlain: Bool, settledAt received: Int64? = nil,
        room: Int64? = nil, isIncomplete: Bool = false
    ) -> ConnectionAccount.Correction {
        guard let place = place(of: exchange) else { return ConnectionAccount.Correction() }
        if isIncomplete { accounts.values[place].isIncomplete = true }
        guard let number = accounts.values[place].session, let session = sessions[number] else {
            return accounts.values[place].correction(
                of: exchange.id, size, isPlain: isPlain, settledAt: received, room: room)
        }
        let unsent = accounts.values[place].isOver ? accounts.values[place].unsent(session) : .zero
        let own = exchange.stream.map { sessions[number]?.takeUnsent(unsent, of: $0.number) ?? .zero }
        return accounts.values[place].correction(of: exchange.id, size, unsentOfStream: own ?? unsent)
    }

    /// Whether libcurl had closed the exchange's connection by that moment, and whether the peer had ended it.
    func leaving(_ exchange: ObservedExchange, by time: UInt64) -> (isLeft: Bool, hasEnded: Bool) {
        guard let place = place(of: exchange), let closed = accounts.values[place].closedMonotonic else {
            return (false, false)
        }
        return (closed <= time, accounts.values[place].hasEnded)
    }

    /// Adds an exchange that has ended to its connection.
    ///
    /// - Parameters:
    ///   - exchange: the exchange.
    ///   - size: its messages.
    ///   - version: of HTTP.
    ///   - isOutsideTLS: whether its messages are not in TLS even if the connection has it.
    ///   - isCounted: whether the kernel's count was read at its end.
    ///   - goesOn: whether the same transfer sends another exchange over the same connection; that one gets the rest.
    ///   - end: how the response ended.
    /// - Returns: the exchange's share of the connection's overhead.
    mutating func add(
        _ exchange: ObservedExchange, _ size: ByteFlow, version: String, isOutsideTLS: Bool, isCounted: Bool,
        goesOn: Bool, end: ObservedExchange.ResponseEnd
    ) -> ConnectionShare? {
        if let stream = exchange.stream { sessions[stream.session]?.release(stream.number) }
        guard let place = place(of: exchange) else { return nil }
        accounts.values[place].add(exchange.id, size, isOutsideTLS: isOutsideTLS, end)
        let isNameless = accounts.values[place].record.applicationProtocol.isEmpty
        if isNameless || version.hasPrefix("2"),
            let name = Self.protocolName(version, isSecure: accounts.values[place].record.tls != nil, isOutsideTLS),
            isNameless || name == "h2c"
        {
            accounts.values[place].record.applicationProtocol = name
        }
        let isClosed = accounts.values[place].record.closedAt != nil
        guard isCounted || isClosed else {
            return goesOn && !accounts.values[place].wasOpen ? ConnectionShare() : nil
        }
        let session = session(of: accounts.values[place])
        accounts.values[place].settle(session)
        tellLater(place)
        return accounts.values[place].takeShare(session)
    }

    private static func protocolName(_ version: String, isSecure: Bool, _ isOutsideTLS: Bool) -> String? {
        guard !version.isEmpty, !isOutsideTLS else { return nil }
        return version.hasPrefix("2") ? (isSecure ? "h2" : "h2c") : "http/\(version)"
    }

    // MARK: HTTP/2

    /// Adds frames that have passed.
    mutating func add(_ frames: TapFrame.HTTP2) {
        begin(frames.session)
        sessions[frames.session]?.add(frames)
        // Frames may be reported after the close of their connection, such as those that closed the session.
        guard let ends = carriers[frames.session], let place = accounts.index(forKey: ends),
            accounts.values[place].session == frames.session, accounts.values[place].record.closedAt != nil
        else { return }
        accounts.values[place].settle(sessions[frames.session])
        tellLater(place)
    }

    /// Assigns a stream to an exchange.
    mutating func claim(_ stream: ObservedExchange.Stream, for exchange: ObservedExchange) {
        begin(stream.session)
        sessions[stream.session]?.claim(stream.number)
        guard let place = place(of: exchange) else { return }
        accounts.values[place].session = stream.session
        carriers[stream.session] = accounts.keys[place]
    }

    private mutating func begin(_ session: UInt64) {
        guard sessions[session] == nil else { return }
        sessions[session] = HTTP2Session()
        sessionOrder.append(session)
        // The tap does not report the ends of sessions.
        guard sessionOrder.count > mostSessions else { return }
        let over = Set(sessionOrder.prefix(mostSessions / 2).filter { !isOpen($0) })
        for old in over {
            sessions[old] = nil
            carriers[old] = nil
        }
        sessionOrder.removeAll { over.contains($0) }
        mostSessions = max(limit / 2, 2 * sessionOrder.count)
    }

    private func isOpen(_ session: UInt64) -> Bool {
        guard let ends = carriers[session], let account = accounts[ends] else { return false }
        return account.session == session && account.record.closedAt == nil
    }

    /// The bytes that an exchange's stream has carried, once the exchange is over; nil if they are not known.
    ///
    /// Bytes that libcurl has not sent yet, such as the frame that cancels the stream, do not belong to the exchange.
    mutating func carriedToTheEnd(_ exchange: ObservedExchange) -> HTTP2Stream? {
        if let stream = exchange.stream, let place = place(of: exchange),
            let session = session(of: accounts.values[place])
        {
            sessions[stream.session]?.withhold(accounts.values[place].unsent(session), from: stream.number)
        }
        return carried(exchange)
    }

    /// The bytes that an exchange's stream has carried so far; nil if they are not known.
    func carried(_ exchange: ObservedExchange) -> HTTP2Stream? {
        exchange.stream.flatMap { sessions[$0.session]?.stream($0.number) }
    }

    private func session(of account: ConnectionAccount) -> HTTP2Session? { account.session.flatMap { sessions[$0] } }

    // MARK: places

    /// The index of an exchange's connection; nil if another connection has its ends by now.
    private func place(of exchange: ObservedExchange) -> Dictionary<Ends, ConnectionAccount>.Index? {
        guard let request = exchange.request, let connection = exchange.connection,
            let place = accounts.index(forKey: Self.ends(of: request)),
            accounts.values[place].record.connection == connection
        else { return nil }
        return place
    }

    /// Whether two requests have the same ports and remote address.
    static func haveSameEnds(_ one: TapFrame.Request, _ other: TapFrame.Request) -> Bool {
        ends(of: one) == ends(of: other)
    }

    /// Whether a transfer ended on the connection of that request.
    static func haveSameEnds(_ one: TapFrame.Request, _ end: TapFrame.End) -> Bool {
        end.localPort != 0
            && ends(of: one)
                == Ends(localPort: end.localPort, remotePort: end.remotePort, remoteAddress: end.remoteAddress)
    }

    private static func ends(of request: TapFrame.Request) -> Ends {
        Ends(localPort: request.localPort, remotePort: request.remotePort, remoteAddress: request.remoteAddress)
    }

    // MARK: records to send

    private mutating func tellLater(_ ends: Ends) {
        if let place = accounts.index(forKey: ends) { tellLater(place) }
    }

    private mutating func tellLater(_ place: Dictionary<Ends, ConnectionAccount>.Index) {
        if accounts.values[place].isUntold { return }
        accounts.values[place].isUntold = true
        untold.append(accounts.keys[place])
    }

    /// The records that have changed since the last call.
    mutating func takeUntold() -> [ConnectionRecord] {
        guard !untold.isEmpty || !replaced.isEmpty else { return [] }
        var records = replaced
        for ends in untold {
            guard let place = accounts.index(forKey: ends), accounts.values[place].isUntold else { continue }
            accounts.values[place].isUntold = false
            records.append(accounts.values[place].record)
        }
        untold = []
        replaced = []
        return records
    }

    static func address(_ address: String, _ port: UInt32) -> String {
        guard port != 0 else { return address }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
