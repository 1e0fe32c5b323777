/// The HTTP/2 sessions of a process, each with the ends of its connection.
struct HTTP2SessionTable {
    private var sessions: [UInt64: HTTP2Session] = [:]
    private var sessionEnds: [UInt64: ConnectionEnds] = [:]
    private var sessionOrder: [UInt64] = []
    private let limit: Int
    private var mostSessions: Int

    init(limit: Int) {
        self.limit = limit
        mostSessions = limit
    }

    subscript(_ session: UInt64) -> HTTP2Session? {
        get { sessions[session] }
        _modify { yield &sessions[session] }
    }

    /// The ends of the connection that carries a session.
    func ends(of session: UInt64) -> ConnectionEnds? { sessionEnds[session] }

    mutating func setEnds(_ ends: ConnectionEnds, of session: UInt64) { sessionEnds[session] = ends }

    /// Adds a session, if it is not known yet.
    ///
    /// - Returns: whether there are too many now.
    mutating func add(_ session: UInt64) -> Bool {
        guard sessions[session] == nil else { return false }
        sessions[session] = HTTP2Session()
        sessionOrder.append(session)
        return sessionOrder.count > mostSessions
    }

    /// Forgets old sessions, because their ends are not reported.
    ///
    /// - Parameter isOpen: whether the connection with these ends is open and carries that session.
    mutating func forgetOld(isOpen: (UInt64, ConnectionEnds) -> Bool) {
        let over = Set(
            sessionOrder.prefix(mostSessions / 2).filter { session in
                sessionEnds[session].map { !isOpen(session, $0) } ?? true
            })
        for old in over {
            sessions[old] = nil
            sessionEnds[old] = nil
        }
        sessionOrder.removeAll { over.contains($0) }
        mostSessions = max(limit, 2 * sessionOrder.count)
    }
}
