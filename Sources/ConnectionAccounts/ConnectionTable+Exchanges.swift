package import TrafficModel

extension ConnectionTable {
    /// Records that the connection of an exchange has switched to another protocol.
    package mutating func upgrade(_ transport: ExchangeTransport) {
        if let place = connections.place(of: transport) { connections.accounts.values[place].upgrade() }
    }

    /// Records what a connection had received when a request was about to be added to it.
    ///
    /// libcurl gives its connection away before the program asks how the transfer ended. All that had come by then belongs
    /// to the exchanges before.
    package mutating func overtake(_ ends: ConnectionEnds, received: Int64) {
        guard let place = connections.openPlace(of: ends) else { return }
        connections.accounts.values[place].overtake(received: received)
    }

    /// Records that bytes of an exchange were not seen, and not counted: what is left over of the connection's bytes is
    /// not that of a later exchange alone.
    package mutating func leaveUnsettled(_ transport: ExchangeTransport) {
        if let place = connections.place(of: transport) { connections.accounts.values[place].isUnsettled = true }
    }

    /// Compares the sum of a connection's messages, this exchange included, with the kernel's count.
    ///
    /// - Parameters:
    ///   - transport: what carried the exchange that has ended.
    ///   - size: its messages as the observer saw them.
    ///   - isPlain: whether it is HTTP/1 without TLS; a single other message makes this sum useless for the connection.
    ///   - received: the bytes that had come when all of the response had, inside of TLS if there is any; nil if that
    ///     was not recorded.
    ///   - room: how many more bytes the response can have; nil if its headers set no limit.
    ///   - isIncomplete: whether the meter has lost parts of it; then the kernel's count proves nothing any more.
    /// - Returns: the bytes to subtract from the request and to add to the response.
    package mutating func correction(
        of transport: ExchangeTransport, _ size: ByteFlow, isPlain: Bool, settledAt received: Int64? = nil,
        room: Int64? = nil, isIncomplete: Bool = false
    ) -> ConnectionCorrection {
        guard let place = connections.place(of: transport) else { return ConnectionCorrection() }
        let exchange = transport.exchange
        if isIncomplete { connections.accounts.values[place].isIncomplete = true }
        guard let number = connections.accounts.values[place].session, let session = sessions[number] else {
            return connections.accounts.values[place].correction(
                of: exchange, size, isPlain: isPlain, settledAt: received, room: room)
        }
        let isOver = connections.accounts.values[place].isOver
        let unsent = isOver ? connections.accounts.values[place].unsent(session) : .zero
        let own = transport.stream.map { sessions[number]?.takeUnsent(unsent, of: $0.number) ?? .zero }
        return connections.accounts.values[place].correction(of: exchange, size, unsentOfStream: own ?? unsent)
    }

    /// Whether the program had closed the exchange's connection by that moment, and whether the peer had ended it.
    package func closing(of transport: ExchangeTransport, by time: UInt64) -> (isClosed: Bool, hasPeerEnded: Bool) {
        guard let place = connections.place(of: transport),
            let closed = connections.accounts.values[place].closedMonotonic
        else { return (false, false) }
        return (closed <= time, connections.accounts.values[place].hasEnded)
    }

    /// Adds an exchange that has ended to its connection.
    ///
    /// - Parameters:
    ///   - transport: what carried the exchange.
    ///   - size: its messages.
    ///   - version: of HTTP.
    ///   - isOutsideTLS: whether its messages are not in TLS even if the connection has it.
    ///   - isCounted: whether the kernel's count was read at its end.
    ///   - goesOn: whether the same transfer sends another exchange over the same connection; that one gets the rest.
    ///   - end: how the response ended.
    /// - Returns: the exchange's share of the connection's overhead.
    package mutating func add(
        _ transport: ExchangeTransport, _ size: ByteFlow, version: String, isOutsideTLS: Bool, isCounted: Bool,
        goesOn: Bool, end: ResponseEnd
    ) -> ConnectionShare? {
        if let stream = transport.stream { sessions[stream.session]?.release(stream.number) }
        guard let place = connections.place(of: transport) else { return nil }
        connections.accounts.values[place].add(transport.exchange, size, isOutsideTLS: isOutsideTLS, end)
        let isNameless = connections.accounts.values[place].record.applicationProtocol.isEmpty
        if isNameless || version.hasPrefix("2"),
            let name = Self.protocolName(
                version, isSecure: connections.accounts.values[place].record.tls != nil, isOutsideTLS),
            isNameless || name == "h2c"
        {
            connections.accounts.values[place].record.applicationProtocol = name
        }
        if isOutsideTLS, version.hasPrefix("1") { connections.accounts.values[place].proxyVersion = version }
        let isClosed = connections.accounts.values[place].record.closedAt != nil
        guard isCounted || isClosed else {
            return goesOn && !connections.accounts.values[place].wasOpen ? ConnectionShare() : nil
        }
        let session = session(of: connections.accounts.values[place])
        connections.accounts.values[place].settle(session)
        connections.noteChange(place)
        return connections.accounts.values[place].takeSettledShare()
    }

    private static func protocolName(_ version: String, isSecure: Bool, _ isOutsideTLS: Bool) -> String? {
        guard !version.isEmpty, !isOutsideTLS else { return nil }
        return version.hasPrefix("2") ? (isSecure ? "h2" : "h2c") : "http/\(version)"
    }
}
