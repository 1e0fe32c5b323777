package import TextFormats
package import TrafficModel

/// One connection with its ledger as a JSON object: the line of `connections --format ndjson`.
///
/// Members are added, never renamed. Facts that the kernel or the TLS library did not report are null.
package struct ConnectionLine: Sendable {
    private let connection: StoredConnection
    private let otherEnd: OtherEnd?

    /// Creates the line of that connection, with its other end if that is in the same store.
    package init(_ connection: StoredConnection, otherEnd: OtherEnd? = nil) {
        self.connection = connection
        self.otherEnd = otherEnd
    }

    /// The object on one line, without a line end.
    package var ndjson: String { json.compact }

    /// The object as a value, to embed in another.
    package var json: JSONValue { .object(members) }

    private var members: [JSONValue.Member] {
        let local = AddressParts(connection.localAddress)
        let remote = AddressParts(connection.remoteAddress)
        let ledger = connection.ledger
        func bytes(_ count: ByteCount?) -> JSONValue { count.map { .integer($0.bytes) } ?? .null }
        func number(_ number: Int64?) -> JSONValue { number.map { .integer($0) } ?? .null }
        func sides(_ value: (ConnectionLedger.Side) -> Int64) -> JSONValue {
            guard let ledger else { return .null }
            return Self.pair(.integer(value(ledger.up)), .integer(value(ledger.down)))
        }
        let hasPayload = connection.payloadUp != nil || connection.payloadDown != nil
        let hasSegments = connection.segmentsUp != nil || connection.segmentsDown != nil
        return [
            .init("connection", .integer(connection.id.rawValue)),
            .init("pid", .integer(Int64(connection.process.pid))),
            .init("process", .string(connection.process.name)),
            .init("localAddress", .text(local.address)), .init("localPort", number(local.port.map { Int64($0) })),
            .init("remoteAddress", .text(remote.address)), .init("remotePort", number(remote.port.map { Int64($0) })),
            .init("protocol", .text(connection.applicationProtocol)),
            .init(
                "tls",
                connection.tls.map { tls in
                    .object([.init("version", .text(tls.version)), .init("cipher", .text(tls.cipher))])
                } ?? .null),
            .init("openedAt", .string(connection.openedAt.iso8601)),
            .init("closedAt", .text(connection.closedAt?.iso8601)),
            .init(
                "payload", hasPayload ? Self.pair(bytes(connection.payloadUp), bytes(connection.payloadDown)) : .null),
            .init("exchanges", .integer(connection.load.exchanges)),
            .init("messages", connection.load.messages.json),
            .init("overhead", sides(\.overhead)), .init("tlsOverhead", sides(\.tls)),
            .init("http2Overhead", connection.load.http2Control.json),
        ]
            + ConnectionPart.rare.map { part in .init(part.name, (connection.load.parts[part] ?? .zero).json) } + [
                .init("unaccounted", sides(\.unaccounted)), .init("evidence", .text(ledger?.evidence.name)),
                .init(
                    "segments",
                    hasSegments
                        ? Self.pair(number(connection.segmentsUp), number(connection.segmentsDown)) : .null),
                .init("retransmitted", bytes(connection.retransmitted)),
                .init("roundTrip", .milliseconds(connection.roundTrip)),
                .init(
                    "ipBytes",
                    connection.packets.map { .object($0.members + [.init("estimated", .bool(true))]) } ?? .null),
                .init("network", connection.network?.json ?? .null),
                .init("websocket", connection.load.webSocket?.json ?? .null),
                .init("notSeen", connection.unseen.map { .string($0.reason.rawValue) } ?? .null),
                .init("serverName", .text(connection.unseen?.serverName)),
                .init("direction", .string(connection.direction.rawValue)),
                .init("handshake", connection.handshake?.json ?? .null),
                .init("opening", connection.opening?.json ?? .null),
                .init("otherEnd", otherEnd?.json("connection") ?? .null),
            ]
    }

    /// The names of the members that make up the ledger.
    package static let ledgerNames: Set<String> = Set(
        [
            "protocol", "tls", "payload", "exchanges", "overhead", "evidence", "segments", "ipBytes", "network",
            "websocket", "notSeen", "serverName", "direction", "handshake",
            "opening",
        ]
            + ConnectionPart.all.map(\.name))

    private static func pair(_ up: JSONValue, _ down: JSONValue) -> JSONValue {
        .object([.init("up", up), .init("down", down)])
    }

    /// The members with these names, for formats that show them along with their own.
    package func members(named names: Set<String>) -> [JSONValue.Member] { members.filter { names.contains($0.name) } }

    // MARK: CSV

    /// The column names as a line of CSV: those of the object, with nested objects flattened.
    package static let csvHeader = CSVLine.text(
        of: [
            "connection", "pid", "process", "localAddress", "localPort", "remoteAddress", "remotePort", "protocol",
            "tlsVersion", "tlsCipher", "openedAt", "closedAt", "payloadUp", "payloadDown", "exchanges", "messagesUp",
            "messagesDown", "overheadUp", "overheadDown", "tlsOverheadUp", "tlsOverheadDown", "http2OverheadUp",
            "http2OverheadDown", "unaccountedUp", "unaccountedDown", "evidence", "segmentsUp", "segmentsDown",
            "retransmitted", "roundTripMs", "ipBytesUpEstimated", "ipBytesDownEstimated",
        ] + firstParts.flatMap(columns) + ["network"] + laterParts.flatMap(columns) + webSocketColumns + lastColumns)

    private static let webSocketColumns: [String] = WebSocketLoad().counts.flatMap { count in
        let name = count.name.prefix(1).uppercased() + count.name.dropFirst()
        return ["websocket\(name)Up", "websocket\(name)Down"]
    }
    private static let lastColumns: [String] =
        columns(.unseen) + ["notSeen", "serverName", "direction"] + TLSHandshake.columns + ConnectionOpening.columns

    // New columns are appended.
    private static let firstParts = [
        ConnectionPart.socks, .proxyProtocol, .proxyTLS, .upgraded, .afterMessage,
    ]
    private static let laterParts = [ConnectionPart.webSocket, .webSocketPayload]

    private static func columns(_ part: ConnectionPart) -> [String] { ["\(part.name)Up", "\(part.name)Down"] }

    /// The connection as a line of CSV; unknown values are empty.
    package var csv: String {
        let local = AddressParts(connection.localAddress)
        let remote = AddressParts(connection.remoteAddress)
        let ledger = connection.ledger
        func text(_ number: (some CustomStringConvertible)?) -> String { number?.description ?? "" }
        func flow(_ flow: ByteFlow?) -> [String] { [text(flow?.up), text(flow?.down)] }
        func sides(_ value: (ConnectionLedger.Side) -> Int64) -> [String] {
            [text(ledger.map { value($0.up) }), text(ledger.map { value($0.down) })]
        }
        var cells = [
            connection.id.description, String(connection.process.pid), connection.process.name, local.address,
            text(local.port), remote.address, text(remote.port), connection.applicationProtocol,
            connection.tls?.version ?? "", connection.tls?.cipher ?? "", connection.openedAt.iso8601,
            connection.closedAt?.iso8601 ?? "", text(connection.payloadUp), text(connection.payloadDown),
            String(connection.load.exchanges),
        ]
        cells += flow(connection.load.messages) + sides(\.overhead) + sides(\.tls)
        cells += flow(connection.load.http2Control) + sides(\.unaccounted)
        cells += [
            ledger?.evidence.name ?? "", text(connection.segmentsUp), text(connection.segmentsDown),
            text(connection.retransmitted),
            connection.roundTrip.map { JSONValue.milliseconds($0).compact } ?? "",
        ]
        cells += flow(connection.packets)
        func parts(_ parts: [ConnectionPart]) -> [String] {
            parts.flatMap { flow(connection.load.parts[$0] ?? .zero) }
        }
        let webSocket = connection.load.webSocket
        cells += parts(Self.firstParts) + [connection.network?.name ?? ""] + parts(Self.laterParts)
        cells += (webSocket ?? WebSocketLoad()).counts.flatMap {
            webSocket == nil ? ["", ""] : [String($0.up), String($0.down)]
        }
        cells += parts([.unseen])
        cells += [
            connection.unseen?.reason.rawValue ?? "", connection.unseen?.serverName ?? "",
            connection.direction.rawValue,
        ]
        cells += TLSHandshake.cells(of: connection.handshake) + ConnectionOpening.cells(of: connection.opening)
        return CSVLine.text(of: cells)
    }
}

extension WebSocketLoad {
    /// Numbers of frames, control frames and messages, each as `up` and `down`.
    package var json: JSONValue {
        .object(
            counts.map {
                .init($0.name, .object([.init("up", .integer($0.up)), .init("down", .integer($0.down))]))
            })
    }
}

extension ConnectionNetwork {
    /// The interface and the known facts of the network; null if the system does not report it.
    package var json: JSONValue {
        .object(
            [.init("name", .string(name)), .init("interface", .text(interface))]
                + properties.map { .init($0.name, $0.value.map { .bool($0) } ?? .null) }
                + [.init("resolution", .text(resolution?.rawValue ?? ""))])
    }
}
