internal import TrafficModel

extension ConnectionTable {
    /// Adds frames that have passed.
    package mutating func add(_ frames: HTTP2Frames) {
        begin(frames.session)
        sessions[frames.session]?.add(frames)
        // Frames may be reported after the close of their connection, such as those that closed the session.
        guard let ends = sessions.ends(of: frames.session), let place = connections.accounts.index(forKey: ends),
            connections.accounts.values[place].session == frames.session,
            connections.accounts.values[place].record.closedAt != nil
        else { return }
        connections.accounts.values[place].settle(sessions[frames.session])
        connections.noteChange(place)
    }

    /// Assigns a stream to the exchange that it carries.
    package mutating func claim(_ stream: HTTP2StreamID, for transport: ExchangeTransport) {
        begin(stream.session)
        sessions[stream.session]?.claim(stream.number)
        guard let place = connections.place(of: transport) else { return }
        connections.accounts.values[place].session = stream.session
        sessions.setEnds(connections.accounts.keys[place], of: stream.session)
    }

    private mutating func begin(_ session: UInt64) {
        guard sessions.add(session) else { return }
        let accounts = connections.accounts
        sessions.forgetOld { session, ends in
            guard let account = accounts[ends] else { return false }
            return account.session == session && account.record.closedAt == nil
        }
    }

    /// The bytes that an exchange's stream has carried, once the exchange is over; nil if they are not known.
    ///
    /// Bytes that were not sent yet, such as the frame that cancels the stream, do not belong to the exchange.
    package mutating func carriedToTheEnd(_ transport: ExchangeTransport) -> HTTP2Stream? {
        if let stream = transport.stream, let place = connections.place(of: transport),
            let session = session(of: connections.accounts.values[place])
        {
            sessions[stream.session]?.withhold(
                connections.accounts.values[place].unsent(session), from: stream.number)
        }
        return carried(transport.stream)
    }

    /// The bytes that a stream has carried so far; nil if they are not known.
    package func carried(_ stream: HTTP2StreamID?) -> HTTP2Stream? {
        stream.flatMap { sessions[$0.session]?.stream($0.number) }
    }
}
