import GRDB
internal import TrafficModel

/// The row of one connection: writes it from a record and reads it back.
struct ConnectionRow {
    /// The columns after `id`, `run` and `process`, in the order in which ``bind(_:to:)`` writes and ``connection`` reads
    /// them.
    private static let names =
        [
            "local", "remote", "protocol", "tls", "cipher", "opened", "closed", "sent", "received", "retransmitted",
            "segments_sent", "segments_received", "round_trip", "exchanges", "messages_up", "messages_down", "clear_up",
            "clear_down", "control_up", "control_down", "plain_up", "plain_down", "network", "network_flags",
        ] + (LedgerColumns.rare + LedgerColumns.webSocketCounts).flatMap { ["\($0)_up", "\($0)_down"] }
        + ["unseen", "server_name", "direction"] + HandshakeColumns.names
        + ["opening_dns", "opening_connect", "opening_first_byte"]

    /// The parts in the order of ``LedgerColumns/rare``.
    static let rareParts = [
        ConnectionPart.socks, .proxyProtocol, .proxyTLS, .upgraded, .afterMessage, .webSocket, .webSocketPayload,
        .unseen,
    ]

    /// Selects the columns that ``connection`` reads; conditions may follow.
    static let selection =
        "SELECT c.id, p.pid, p.name, " + names.map { "c.\($0)" }.joined(separator: ", ")
        + " FROM connection c JOIN process p ON p.id = c.process"

    /// Writes a row, or the new values of a row that is there: connection, run, process, and the record.
    ///
    /// A row that was replaced would be deleted first, which the triggers of the ledgers' sums do not see.
    static let insertion =
        "INSERT INTO connection(id, run, process, " + names.joined(separator: ", ") + ") VALUES ("
        + Array(repeating: "?", count: names.count + 3).joined(separator: ", ") + ") ON CONFLICT(id) DO UPDATE SET "
        + (["run", "process"] + names).map { "\($0) = excluded.\($0)" }.joined(separator: ", ")

    /// Binds a record to the parameters of ``insertion`` from the fourth on.
    static func bind(_ record: ConnectionRecord, to statement: PreparedStatement) {
        statement.bind(4, record.localAddress)
        statement.bind(5, record.remoteAddress)
        statement.bind(6, record.applicationProtocol)
        statement.bind(7, record.tls?.version)
        statement.bind(8, record.tls?.cipher)
        let load = record.load
        let numbers: [Int64?] = [
            record.openedAt.nanoseconds, record.closedAt?.nanoseconds, record.payloadUp?.bytes,
            record.payloadDown?.bytes,
            record.retransmitted?.bytes, record.segmentsUp, record.segmentsDown, record.roundTrip,
            load.exchanges, load.messages.up.bytes, load.messages.down.bytes, load.clearMessages.up.bytes,
            load.clearMessages.down.bytes, load.http2Control.up.bytes, load.http2Control.down.bytes,
            load.plaintext?.up.bytes, load.plaintext?.down.bytes,
        ]
        for (offset, number) in numbers.enumerated() { statement.bind(Int32(9 + offset), number) }
        let rest = Int32(9 + numbers.count)
        statement.bind(rest, record.network?.interface)
        statement.bind(rest + 1, record.network?.flags ?? 0)
        for (offset, part) in rareParts.enumerated() {
            let flow = load.parts.isEmpty ? ByteFlow.zero : load.parts[part] ?? .zero
            statement.bind(rest + 2 + Int32(2 * offset), flow.up.bytes)
            statement.bind(rest + 3 + Int32(2 * offset), flow.down.bytes)
        }
        let counts = rest + 2 + Int32(2 * rareParts.count)
        for (offset, count) in (load.webSocket ?? WebSocketLoad()).counts.enumerated() {
            statement.bind(counts + Int32(2 * offset), load.webSocket == nil ? nil : count.up)
            statement.bind(counts + 1 + Int32(2 * offset), load.webSocket == nil ? nil : count.down)
        }
        let last = counts + Int32(2 * LedgerColumns.webSocketCounts.count)
        statement.bind(last, record.unseen?.reason.rawValue)
        statement.bind(last + 1, record.unseen?.serverName)
        statement.bind(last + 2, record.direction.number)
        HandshakeColumns.bind(record.handshake, to: statement, from: last + 3)
        let opening = last + 3 + Int32(HandshakeColumns.names.count)
        statement.bind(opening, record.opening?.dns)
        statement.bind(opening + 1, record.opening?.connect)
        statement.bind(opening + 2, record.opening?.firstByte)
    }

    /// ``ConnectionNetwork/name`` of a connection that has a network, in SQL.
    static let networkName: String = {
        let properties = ConnectionNetwork().properties.enumerated().map {
            "CASE WHEN (network_flags >> \(2 * $0.offset)) & 3 = 3 THEN ', \($0.element.name)' ELSE '' END"
        }
        return "CASE WHEN network <> '' THEN network "
            + "ELSE coalesce(nullif(ltrim(\(properties.joined(separator: " || ")), ', '), ''), 'other') END"
    }()

    static func network(_ interface: String?, flags: Int64) -> ConnectionNetwork? {
        interface.map { ConnectionNetwork(interface: $0, flags: flags) }
    }

    let row: PreparedStatement

    /// The connection of the current row.
    var connection: StoredConnection { StoredConnection(id: StoredConnection.ID(row.int(0)), record: record) }

    private var record: ConnectionRecord {
        ConnectionRecord(
            connection: .notKept,
            process: ProcessIdentity(pid: Int32(truncatingIfNeeded: row.int(1)), name: row.text(2)),
            localAddress: row.text(3), remoteAddress: row.text(4), applicationProtocol: row.text(5),
            tls: row.optionalText(6).map { ConnectionRecord.TLS(version: $0, cipher: row.text(7)) },
            openedAt: Timestamp(nanoseconds: Plausible.moment(row.int(8))),
            closedAt: row.optionalInt(9).map { Timestamp(nanoseconds: Plausible.moment($0)) }, payloadUp: bytes(10),
            payloadDown: bytes(11),
            retransmitted: bytes(12), segmentsUp: row.optionalInt(13).map(Plausible.count),
            segmentsDown: row.optionalInt(14).map(Plausible.count),
            roundTrip: row.optionalInt(15).map(Plausible.duration),
            load: ConnectionLoad(
                exchanges: Plausible.count(row.int(16)), messages: flow(17) ?? .zero, clearMessages: flow(19) ?? .zero,
                http2Control: flow(21) ?? .zero, plaintext: flow(23), parts: parts, webSocket: webSocket),
            network: Self.network(row.optionalText(25), flags: row.int(26)), unseen: unseen,
            direction: TrafficDirection(number: row.int(Self.unseenColumn + 2)),
            handshake: HandshakeColumns.handshake(of: row, from: Self.unseenColumn + 3), opening: opening)
    }

    private var opening: ConnectionOpening? {
        let first = Self.unseenColumn + 3 + Int32(HandshakeColumns.names.count)
        func time(_ column: Int32) -> Int64? { row.optionalInt(column).map(Plausible.duration) }
        let opening = ConnectionOpening(dns: time(first), connect: time(first + 1), firstByte: time(first + 2))
        return opening == ConnectionOpening() ? nil : opening
    }

    private var unseen: UnseenTraffic? {
        row.optionalText(Self.unseenColumn).map {
            UnseenTraffic(reason: .init(rawValue: $0), serverName: row.text(Self.unseenColumn + 1))
        }
    }

    private static let unseenColumn = firstPart + Int32(2 * (rareParts.count + LedgerColumns.webSocketCounts.count))

    private var parts: [ConnectionPart: ByteFlow] {
        var parts: [ConnectionPart: ByteFlow] = [:]
        for (offset, part) in Self.rareParts.enumerated() {
            let first = Self.firstPart + Int32(2 * offset)
            guard row.int(first) != 0 || row.int(first + 1) != 0 else { continue }
            parts[part] = flow(first)
        }
        return parts
    }

    private static let firstPart: Int32 = 27

    private var webSocket: WebSocketLoad? {
        let first = Self.firstPart + Int32(2 * Self.rareParts.count)
        guard row.optionalInt(first) != nil else { return nil }
        func side(_ way: Int32) -> WebSocketLoad.Side {
            func count(_ offset: Int32) -> Int64 { Plausible.count(row.int(first + 2 * offset + way)) }
            return WebSocketLoad.Side(frames: count(0), controlFrames: count(1), messages: count(2))
        }
        return WebSocketLoad(up: side(0), down: side(1))
    }

    private func bytes(_ column: Int32) -> ByteCount? { row.optionalInt(column).map { ByteCount($0) } }

    private func flow(_ first: Int32) -> ByteFlow? {
        bytes(first).map { ByteFlow(up: $0, down: bytes(first + 1) ?? .zero) }
    }
}
