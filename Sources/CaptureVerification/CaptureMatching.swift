import TrafficModel

/// Finds the connection of a capture that each metered connection is.
struct CaptureMatching {
    /// A connection of the capture, and which of its ends is the program's.
    struct Match {
        let index: Int
        let connection: CapturedConnection
        let side: CapturedConnection.Side
    }

    /// The match of each record, in the order of the records; nil if it has none.
    private(set) var matches: [Match?]
    /// The indices of the connections that were matched.
    private(set) var taken: Set<Int> = []

    /// Nanoseconds by which the times may differ: the capture may come from another machine's clock.
    static let slack: Int64 = 5_000_000_000

    private struct Key: Hashable {
        var remote: Endpoint
        var localPort: UInt16
    }

    /// Matches connections by both ends and by time.
    ///
    /// Ports are reused, perhaps within milliseconds, so several connections may match. A record belongs to the
    /// connection that was alive when the record's first exchange started, or to the nearest one. If both of its ends
    /// were metered, two records are of one connection.
    init(_ records: [StoredConnection], in connections: [CapturedConnection]) {
        matches = Array(repeating: nil, count: records.count)
        var places: [Key: [Match]] = [:]
        for (index, connection) in connections.enumerated() {
            for side in [CapturedConnection.Side.first, .second] {
                let key = Key(remote: connection.endpoint(side.other), localPort: connection.endpoint(side).port)
                places[key, default: []].append(Match(index: index, connection: connection, side: side))
            }
        }
        var candidates: [(record: Int, match: Match, distance: Int64, lateness: Int64)] = []
        for (number, record) in records.enumerated() {
            guard let local = Endpoint(record.localAddress), let remote = Endpoint(record.remoteAddress) else {
                continue
            }
            for match in places[Key(remote: remote, localPort: local.port)] ?? [] {
                // The local address of a connection is not known while it is open.
                guard local.address == nil || local.address == match.connection.endpoint(match.side).address,
                    let distance = Self.distance(record, match.connection)
                else { continue }
                let lateness = record.openedAt.nanoseconds &- match.connection.begin.nanoseconds
                candidates.append((number, match, distance, Int64(clamping: lateness.magnitude)))
            }
        }
        candidates.sort { ($0.distance, $0.lateness, $0.record) < ($1.distance, $1.lateness, $1.record) }
        var ends: [CapturedConnection.Side: Set<Int>] = [:]
        for candidate in candidates where matches[candidate.record] == nil {
            guard ends[candidate.match.side, default: []].insert(candidate.match.index).inserted else { continue }
            matches[candidate.record] = candidate.match
            taken.insert(candidate.match.index)
        }
    }

    /// The time between the start of the record's first exchange and the connection's life, in nanoseconds.
    ///
    /// It is nil if the two lives do not overlap, even with the slack.
    private static func distance(_ record: StoredConnection, _ connection: CapturedConnection) -> Int64? {
        let opened = record.openedAt.nanoseconds
        let (begin, end) = (connection.begin.nanoseconds, connection.end.nanoseconds)
        guard opened <= end &+ slack else { return nil }
        if let closed = record.closedAt?.nanoseconds, closed < begin &- slack { return nil }
        if opened < begin { return begin &- opened }
        return max(0, opened &- end)
    }
}
