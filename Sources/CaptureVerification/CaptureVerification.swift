internal import TextFormats
package import TrafficModel

/// Compares metered connections with a packet capture, connection by connection.
package struct CaptureVerification: Sendable {
    /// The result for one connection.
    package enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// Equal to the byte, both ways.
        case agrees
        /// Different, and nothing in the capture explains why.
        case differs
        /// The capture has more bytes down: bytes that the program had not read when it closed the connection.
        case unread
        /// The meter has one byte more down: a FIN, which the kernel counts if a reset follows it.
        case reset
        /// Different, and the connection was not metered until its end.
        case open
        /// The capture lacks bytes of the connection, so nothing can be said.
        case incomplete
        /// The kernel's count is not known.
        case uncounted
        /// Metered, but not in the capture.
        case uncaptured
        /// In the capture, but not metered.
        case unmetered
    }

    /// Bytes of payload both ways, seen from the metered program.
    package struct Payload: Hashable, Sendable {
        /// Bytes sent.
        package var up: Int64
        /// Bytes received.
        package var down: Int64

        static func + (left: Payload, right: Payload) -> Payload {
            Payload(up: left.up &+ right.up, down: left.down &+ right.down)
        }

        static func - (left: Payload, right: Payload) -> Payload {
            Payload(up: left.up &- right.up, down: left.down &- right.down)
        }
    }

    /// One connection.
    package struct Row: Hashable, Sendable {
        /// The metered connection; nil if it is only in the capture.
        package let record: StoredConnection?
        /// The program's end.
        package let local: Endpoint
        /// The peer.
        package let remote: Endpoint
        /// The payload in the capture; nil if the capture does not contain the connection.
        package let captured: Payload?
        /// The payload by the kernel's count; nil if it is not known.
        package let metered: Payload?
        /// Bytes that arrived after the program had closed its end, and that its system refused; not in ``captured``.
        package let refused: Int64
        /// Bytes that the capture lacks.
        package let missing: Payload
        /// The result.
        package let verdict: Verdict
        /// The reason in words; nil if there is nothing to add.
        package let note: String?

        /// The bytes that the capture has more than the meter; nil if one of them is not known.
        package var difference: Payload? {
            guard let captured, let metered else { return nil }
            return captured - metered
        }
    }

    /// Facts about the capture as a whole.
    package struct Facts: Hashable, Sendable {
        /// The names of the interfaces; empty if the file does not contain them.
        package var interfaces: [String]
        /// Packets that the capture lost, according to the file; nil if it does not say.
        package var dropped: Int64?

        /// Creates facts with those values.
        package init(interfaces: [String] = [], dropped: Int64? = nil) {
            self.interfaces = interfaces
            self.dropped = dropped
        }
    }

    /// The metered connections: those that do not agree first, then in the order of time.
    package let rows: [Row]
    /// Unmetered connections of the capture to the same servers.
    package let unmetered: [Row]
    /// The number of other connections in the capture.
    package let others: Int
    /// The packets of the capture, added up.
    package let tally: CaptureTally
    /// Facts about the capture as a whole.
    package let facts: Facts

    /// Whether there are metered connections, and all of them agree to the byte.
    package var isPassed: Bool { !rows.isEmpty && rows.allSatisfy { $0.verdict == .agrees } }

    /// The sums of the matched connections, in the capture and by the kernel's count.
    package var sums: (captured: Payload, metered: Payload) {
        let none = Payload(up: 0, down: 0)
        return rows.reduce((none, none)) { sums, row in
            guard let captured = row.captured, let metered = row.metered else { return sums }
            return (sums.0 + captured, sums.1 + metered)
        }
    }

    /// Compares the connections of a store with the packets of a capture.
    package init(_ records: [StoredConnection], against tally: CaptureTally, facts: Facts = Facts()) {
        self.tally = tally
        self.facts = facts
        let matching = CaptureMatching(records, in: tally.connections)
        rows = zip(records, matching.matches).map { Row($0, $1, in: tally) }
            .sorted { left, right in
                if (left.verdict == .agrees) != (right.verdict == .agrees) { return right.verdict == .agrees }
                return left.openedAt < right.openedAt
            }
        let servers = Set(records.compactMap { Endpoint($0.remoteAddress) })
        var unmetered: [Row] = []
        var others = 0
        for (index, connection) in tally.connections.enumerated() where !matching.taken.contains(index) {
            if servers.contains(connection.second) {
                unmetered.append(Row(connection, from: .first))
            } else if servers.contains(connection.first) {
                unmetered.append(Row(connection, from: .second))
            } else {
                others += 1
            }
        }
        self.unmetered = unmetered
        self.others = others
    }
}

extension CaptureVerification.Row {
    fileprivate var openedAt: Timestamp { record?.openedAt ?? Timestamp(nanoseconds: 0) }

    /// Creates the row of a connection that was not metered.
    fileprivate init(_ connection: CapturedConnection, from side: CapturedConnection.Side) {
        record = nil
        local = connection.endpoint(side)
        remote = connection.endpoint(side.other)
        captured = connection.payloads(of: side, client: side)
        metered = nil
        refused = connection.refused(from: side.other)
        missing = connection.gaps(seenFrom: side)
        verdict = .unmetered
        note = nil
    }

    /// Creates the row of a connection that was metered.
    fileprivate init(
        _ record: StoredConnection, _ match: CaptureMatching.Match?, in tally: CaptureTally
    ) {
        self.record = record
        let local = Endpoint(record.localAddress)
        remote = Endpoint(record.remoteAddress) ?? Endpoint(address: record.remoteAddress, port: 0)
        var metered: CaptureVerification.Payload?
        if let sent = record.payloadUp, let received = record.payloadDown {
            metered = CaptureVerification.Payload(up: sent.bytes, down: received.bytes)
        }
        self.metered = metered
        guard let match else {
            self.local = local ?? Endpoint(address: record.localAddress, port: 0)
            captured = nil
            refused = 0
            missing = CaptureVerification.Payload(up: 0, down: 0)
            verdict = .uncaptured
            note = Self.absence(of: record, from: tally)
            return
        }
        let connection = match.connection
        self.local = connection.endpoint(match.side)
        // Up is from the client, whichever end was metered.
        let client = record.direction == .called ? match.side : match.side.other
        let captured = connection.payloads(of: match.side, client: client)
        self.captured = captured
        refused = connection.refused(from: match.side.other)
        missing = connection.gaps(seenFrom: client)
        (verdict, note) = CaptureVerification.judge(
            connection, from: match.side, client: client, captured: captured, metered: metered,
            isClosed: record.closedAt != nil)
    }

    private static func absence(of record: StoredConnection, from tally: CaptureTally) -> String? {
        guard let begin = tally.begin, let end = tally.end else { return nil }
        if let closed = record.closedAt, closed < begin { return "it was closed before the capture began" }
        if end < record.openedAt { return "it was opened after the capture ended" }
        return "no packet between these ends at that time"
    }
}

extension CapturedConnection {
    /// What the program at that end has sent, and what it can have received, up from the client.
    ///
    /// Bytes that the peer's system refused were sent nevertheless, and the kernel counts them.
    fileprivate func payloads(of side: Side, client: Side) -> CaptureVerification.Payload {
        let (sent, received) = (sent(from: side), payload(from: side.other))
        return side == client
            ? CaptureVerification.Payload(up: sent, down: received)
            : CaptureVerification.Payload(up: received, down: sent)
    }

    fileprivate func gaps(seenFrom side: Side) -> CaptureVerification.Payload {
        CaptureVerification.Payload(up: missing(from: side), down: missing(from: side.other))
    }
}

extension CaptureVerification {
    /// Compares a connection that is both metered and captured, and says why the two differ.
    ///
    /// - Parameters:
    ///   - connection: the connection in the capture.
    ///   - side: the metered program's end.
    ///   - client: the client's end, which is the same unless the program served.
    ///   - captured: the payload in the capture.
    ///   - metered: the kernel's count.
    ///   - isClosed: whether it was seen to close.
    /// - Returns: the verdict, and what is to be known of it.
    fileprivate static func judge(
        _ connection: CapturedConnection, from side: CapturedConnection.Side, client: CapturedConnection.Side,
        captured: Payload, metered: Payload?, isClosed: Bool
    ) -> (Verdict, String?) {
        if let fault = connection.fault(client: client) { return (.incomplete, fault) }
        guard let metered else {
            return (.uncounted, "the kernel's count is not known: the program ended before it was read")
        }
        let difference = captured - metered
        let (sent, received) =
            side == client ? (difference.up, difference.down) : (difference.down, difference.up)
        if difference == Payload(up: 0, down: 0) {
            let refused = connection.refused(from: side.other)
            let note =
                "\(Units.count(refused)) B more came after the program had closed it, and its system refused them"
            return (.agrees, refused > 0 ? note : nil)
        }
        if !connection.hasEnd, difference.up < 0 || difference.down < 0 {
            return (.incomplete, "the capture ends before the connection does")
        }
        if sent == 0, received > 0, connection.hasReset(side) {
            return (.unread, "the program closed the connection before it had read \(Units.count(received)) B")
        }
        if sent == 0, received == -1, connection.hasFIN(side.other), connection.hasReset(side.other) {
            return (.reset, "the peer ended and then reset it: the kernel counts the end as a byte")
        }
        if !isClosed {
            return (.open, "it was not seen to close: metered up to its last exchange, or the program's end")
        }
        return (.differs, nil)
    }
}

extension CapturedConnection {
    /// What the capture lacks of the connection, in words; nil if it has everything.
    fileprivate func fault(client: Side) -> String? {
        if cutHeads > 0 {
            return "\(cutHeads) of its packets are cut within their headers: capture with a larger snapshot length"
        }
        if !hasBegin { return "its start is not in the capture, which started too late or lost it" }
        let gaps = gaps(seenFrom: client)
        guard gaps != CaptureVerification.Payload(up: 0, down: 0) else { return nil }
        return
            "the capture lacks \(Units.count(gaps.up)) B up and \(Units.count(gaps.down)) B down of it: packets were lost"
    }
}
