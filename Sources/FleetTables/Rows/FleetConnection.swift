package import TrafficModel

/// A connection as a row.
package struct FleetConnection: FleetRow, Hashable {
    package var origin = FleetOrigin()
    /// The number of connections that this one stands for.
    package var weight = 1.0
    /// Its number in the store.
    package var number: Int64 = 0
    /// The record.
    package var record = ConnectionRecord(
        connection: .notKept, process: ProcessIdentity(pid: 0, name: ""), localAddress: "", remoteAddress: "",
        openedAt: Timestamp(nanoseconds: 0))

    package init() {}

    /// The row of a connection.
    package init(_ connection: StoredConnection, origin: FleetOrigin, weight: Double, share: FleetShare) {
        self.origin = origin
        self.weight = weight
        number = connection.id.rawValue
        record = share.reduced(connection.record)
    }

    /// The connection as a store has it.
    package var connection: StoredConnection { StoredConnection(id: StoredConnection.ID(number), record: record) }

    /// The names of the rare parts, in the order of the columns.
    package static let rareParts: [(name: String, part: ConnectionPart)] = [
        ("socks", .socks), ("proxy_line", .proxyProtocol), ("proxy_tls", .proxyTLS), ("upgraded", .upgraded),
        ("after", .afterMessage), ("ws_overhead", .webSocket), ("ws_payload", .webSocketPayload), ("unseen", .unseen),
    ]

    package static let table = FleetTable<FleetConnection>(name: "connection", key: ["installation", "number"])

    package static func visit<Visitor: FieldVisitor<Self> & ~Copyable>(_ fields: inout Visitor) {
        fields.origin()
        fields.int64("number", { $0.number }, { $0.number = $1 })
        fields.float64("weight", { $0.weight }, { $0.weight = $1 })
        addNames(&fields)
        addCounts(&fields)
        addRest(&fields)
        addHandshake(&fields)
    }

    @inline(__always)
    private static func addNames<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        columns.uint8(
            "direction", { FleetNumbers.direction($0.record.direction) },
            { $0.record.direction = FleetNumbers.direction($1) })
        columns.int32("pid", { $0.record.process.pid }, { $0.record.process = ProcessIdentity(pid: $1, name: "") })
        columns.label(
            "process", { $0.record.process.name },
            { $0.record.process = ProcessIdentity(pid: $0.record.process.pid, name: $1) })
        columns.string("local", { $0.record.localAddress }, { $0.record.localAddress = $1 })
        columns.string("remote", { $0.record.remoteAddress }, { $0.record.remoteAddress = $1 })
        columns.label("protocol", { $0.record.applicationProtocol }, { $0.record.applicationProtocol = $1 })
        columns.optionalString("tls", { $0.record.tls?.version }) {
            $0.record.tls = $1.map { ConnectionRecord.TLS(version: $0) }
        }
        columns.label("cipher", { $0.record.tls?.cipher ?? "" }, { $0.record.tls?.cipher = $1 })
    }

    @inline(__always)
    private static func addCounts<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        columns.int64(
            "opened_ns", { $0.record.openedAt.nanoseconds },
            { $0.record.openedAt = FleetNumbers.nanosecondMoment($1) })
        columns.optionalInt64(
            "closed_ns", { $0.record.closedAt?.nanoseconds },
            { $0.record.closedAt = $1.map(FleetNumbers.nanosecondMoment) })
        columns.optionalInt64("payload_up", { $0.record.payloadUp?.bytes }, { $0.record.payloadUp = $1.map(bytes) })
        columns.optionalInt64(
            "payload_down", { $0.record.payloadDown?.bytes }, { $0.record.payloadDown = $1.map(bytes) })
        columns.optionalInt64(
            "retransmitted", { $0.record.retransmitted?.bytes }, { $0.record.retransmitted = $1.map(bytes) })
        columns.optionalInt64(
            "segments_up", { $0.record.segmentsUp }, { $0.record.segmentsUp = $1.map(FleetNumbers.count) })
        columns.optionalInt64(
            "segments_down", { $0.record.segmentsDown }, { $0.record.segmentsDown = $1.map(FleetNumbers.count) })
        columns.optionalInt64(
            "round_trip_ns", { $0.record.roundTrip },
            { $0.record.roundTrip = $1.map(FleetNumbers.nanoseconds) })
        columns.int64(
            "exchanges", { $0.record.load.exchanges }, { $0.record.load.exchanges = FleetNumbers.count($1) })
        columns.flow("messages", { $0.record.load.messages }) { row, change in change(&row.record.load.messages) }
        columns.flow("clear", { $0.record.load.clearMessages }) { row, change in
            change(&row.record.load.clearMessages)
        }
        columns.flow("control", { $0.record.load.http2Control }) { row, change in
            change(&row.record.load.http2Control)
        }
        columns.optionalInt64("plain_up", { $0.record.load.plaintext?.up.bytes }) {
            $0.record.load.plaintext = $1.map { ByteFlow(up: bytes($0)) }
        }
        columns.optionalInt64("plain_down", { $0.record.load.plaintext?.down.bytes }) {
            if let value = $1 { $0.record.load.plaintext?.down = bytes(value) }
        }
    }

    @inline(__always)
    private static func addRest<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        columns.optionalString("network", { $0.record.network?.interface }) {
            $0.record.network = $1.map { ConnectionNetwork(interface: $0) }
        }
        columns.int64(
            "network_flags", { $0.record.network?.flags ?? 0 },
            { row, flags in
                row.record.network = row.record.network.map { ConnectionNetwork(interface: $0.interface, flags: flags) }
            })
        for (name, part) in rareParts {
            columns.flow(name, { $0.record.load.parts[part] ?? .zero }) { row, change in
                var flow = row.record.load.parts[part] ?? .zero
                change(&flow)
                row.record.load.parts[part] = flow == .zero ? nil : flow
            }
        }
        for (name, count) in webSocketCounts {
            columns.optionalInt64("ws_\(name)_up", { $0.record.load.webSocket?.up[keyPath: count] }) {
                guard let value = $1 else { return }
                if $0.record.load.webSocket == nil { $0.record.load.webSocket = WebSocketLoad() }
                $0.record.load.webSocket?.up[keyPath: count] = FleetNumbers.count(value)
            }
            columns.optionalInt64("ws_\(name)_down", { $0.record.load.webSocket?.down[keyPath: count] }) {
                if let value = $1 { $0.record.load.webSocket?.down[keyPath: count] = FleetNumbers.count(value) }
            }
        }
        columns.optionalString("unseen", { $0.record.unseen?.reason.rawValue }) {
            $0.record.unseen = $1.map { UnseenTraffic(reason: .init(rawValue: $0)) }
        }
        columns.label("server_name", { $0.record.unseen?.serverName ?? "" }, { $0.record.unseen?.serverName = $1 })
    }

    // A row of before the table had these columns reads as one of a connection of which none of it was seen.
    @inline(__always)
    private static func addHandshake<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        columns.optionalString("handshake_name", { $0.record.handshake?.serverName }) {
            $0.record.handshake = $1.map { TLSHandshake(serverName: $0) }
        }
        columns.label(
            "handshake_version", { $0.record.handshake?.version ?? "" }, { $0.record.handshake?.version = $1 })
        columns.label("handshake_cipher", { $0.record.handshake?.cipher ?? "" }, { $0.record.handshake?.cipher = $1 })
        columns.label("handshake_offered", { $0.record.handshake?.offeredProtocols.joined(separator: ",") ?? "" }) {
            $0.record.handshake?.offeredProtocols = $1.split(separator: ",").map(String.init)
        }
        columns.label("handshake_protocol", { $0.record.handshake?.applicationProtocol ?? "" }) {
            $0.record.handshake?.applicationProtocol = $1
        }
        columns.optionalInt64("handshake_resumed", { $0.record.handshake?.isResumed.map { $0 ? 1 : 0 } }) {
            $0.record.handshake?.isResumed = $1.map { $0 != 0 }
        }
        columns.optionalString("certificate_sha256", { $0.record.handshake?.certificate?.sha256 }) {
            $0.record.handshake?.certificate = $1.map {
                ServerCertificate(
                    subject: "", issuer: "", notBefore: nil, notAfter: nil, sha256: $0, chainSize: nil)
            }
        }
        columns.label("certificate_subject", { $0.record.handshake?.certificate?.subject ?? "" }) {
            $0.record.handshake?.certificate?.subject = $1
        }
        columns.label("certificate_issuer", { $0.record.handshake?.certificate?.issuer ?? "" }) {
            $0.record.handshake?.certificate?.issuer = $1
        }
        columns.optionalInt64("certificate_from_ns", { $0.record.handshake?.certificate?.notBefore?.nanoseconds }) {
            $0.record.handshake?.certificate?.notBefore = $1.map(FleetNumbers.nanosecondMoment)
        }
        columns.optionalInt64("certificate_until_ns", { $0.record.handshake?.certificate?.notAfter?.nanoseconds }) {
            $0.record.handshake?.certificate?.notAfter = $1.map(FleetNumbers.nanosecondMoment)
        }
        columns.optionalInt64("certificate_chain", { $0.record.handshake?.certificate?.chainSize?.bytes }) {
            $0.record.handshake?.certificate?.chainSize = $1.map(bytes)
        }
        for (name, time) in openingTimes {
            columns.optionalInt64("opening_\(name)_ns", { $0.record.opening?[keyPath: time] }) {
                guard let value = $1 else { return }
                if $0.record.opening == nil { $0.record.opening = ConnectionOpening() }
                $0.record.opening?[keyPath: time] = FleetNumbers.nanoseconds(value)
            }
        }
    }

    private static let openingTimes: [(String, any WritableKeyPath<ConnectionOpening, Int64?> & Sendable)] = [
        ("dns", \.dns), ("connect", \.connect), ("first_byte", \.firstByte),
    ]

    private static let webSocketCounts: [(String, any WritableKeyPath<WebSocketLoad.Side, Int64> & Sendable)] = [
        ("frames", \.frames), ("control", \.controlFrames), ("messages", \.messages),
    ]

    private static func bytes(_ value: Int64) -> ByteCount { ByteCount(FleetNumbers.count(value)) }
}

extension FieldVisitor where Self: ~Copyable {
    /// Two columns: bytes up and bytes down.
    @inline(__always)
    mutating func flow(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> ByteFlow,
        _ change: (inout Row, (inout ByteFlow) -> Void) -> Void
    ) {
        int64("\(name())_up", { get(&$0).up.bytes }) { row, bytes in
            change(&row) { $0.up = ByteCount(FleetNumbers.count(bytes)) }
        }
        int64("\(name())_down", { get(&$0).down.bytes }) { row, bytes in
            change(&row) { $0.down = ByteCount(FleetNumbers.count(bytes)) }
        }
    }
}
