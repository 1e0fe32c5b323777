package import TextFormats
package import TrafficModel

/// The sums of many connections' ledgers.
package struct LedgerSums: Hashable, Sendable {
    /// One direction of all connections whose bytes the kernel reported.
    package struct Side: Hashable, Sendable {
        /// Payload in bytes, by the kernel's count.
        package private(set) var payload: Int64 = 0
        /// Bytes of messages.
        package private(set) var messages: Int64 = 0
        /// Bytes of TLS.
        package private(set) var tls: Int64 = 0
        /// Bytes of HTTP/2's own frames.
        package private(set) var http2: Int64 = 0
        /// Bytes left over; if one connection has too many and another too few, they cancel out here.
        package private(set) var unaccounted: Int64 = 0
        /// Bytes of the parts that few connections have.
        package private(set) var rare: [ConnectionPart: Int64] = [:]
        /// The number of TCP segments.
        package private(set) var segments: Int64 = 0
        /// An estimate of the bytes of the packets, with headers of IP and TCP.
        package private(set) var packets = ByteCount.zero

        /// Bytes of protocols, besides what they carry.
        var overhead: Int64 {
            rare.reduce(tls &+ http2) { $1.key.isOverhead ? $0 &+ $1.value : $0 }
        }

        mutating func add(_ side: ConnectionLedger.Side, segments: Int64?, packets: ByteCount?) {
            payload &+= side.payload
            messages &+= side.messages
            tls &+= side.tls
            http2 &+= side.http2
            unaccounted &+= side.unaccounted
            for (part, bytes) in side.rare { rare[part, default: 0] &+= bytes }
            self.segments &+= segments ?? 0
            self.packets += packets ?? .zero
        }
    }

    /// The number of connections.
    package private(set) var connections: Int64 = 0
    /// The number of connections that are open.
    package private(set) var open: Int64 = 0
    /// The number of connections whose ledger does not add up.
    package private(set) var unclosed: Int64 = 0
    /// Connections whose bytes the kernel did not report; the sums of bytes leave them out.
    package private(set) var unknown: Int64 = 0
    /// Connections whose TLS bytes are computed as everything that is not a message, so that nothing can be left over.
    package private(set) var reconstructed: Int64 = 0
    /// The number of exchanges on all connections.
    package private(set) var exchanges: Int64 = 0
    /// Sent by the program.
    package private(set) var up = Side()
    /// Received by the program.
    package private(set) var down = Side()
    /// Retransmitted bytes.
    package private(set) var retransmitted: Int64 = 0

    // The widths that a table needs, in columns of the terminal.
    private(set) var peerWidth = 0
    private(set) var protocolWidth = 0
    private(set) var networkWidth = 0
    private(set) var unaccountedWidth = 1

    /// Creates sums of no connections.
    package init() {}

    /// Adds a connection.
    package mutating func add(_ connection: ConnectionRecord) {
        connections += 1
        if connection.closedAt == nil { open += 1 }
        exchanges &+= connection.load.exchanges
        retransmitted &+= connection.retransmitted?.bytes ?? 0
        peerWidth = max(peerWidth, TerminalText.width(TerminalText.escaped(connection.remoteAddress)))
        protocolWidth = max(protocolWidth, TerminalText.width(connection.protocolText))
        if let network = connection.network {
            networkWidth = max(networkWidth, TerminalText.width(TerminalText.escaped(network.name)))
        }
        guard let ledger = connection.ledger else {
            unknown += 1
            return
        }
        if !ledger.isClosed { unclosed += 1 }
        if ledger.evidence == .reconstructed { reconstructed += 1 }
        let packets = connection.packets
        up.add(ledger.up, segments: connection.segmentsUp, packets: packets?.up)
        down.add(ledger.down, segments: connection.segmentsDown, packets: packets?.down)
        for side in [ledger.up, ledger.down] {
            unaccountedWidth = max(unaccountedWidth, Units.count(side.unaccounted).utf8.count)
        }
    }

    /// The sums as a JSON object, under the names of ``ConnectionLine``.
    package var json: JSONValue {
        func pair(_ value: (Side) -> Int64) -> JSONValue {
            .object([.init("up", .integer(value(up))), .init("down", .integer(value(down)))])
        }
        return .object(
            [
                .init("connections", .integer(connections)), .init("open", .integer(open)),
                .init("unclosed", .integer(unclosed)), .init("unknown", .integer(unknown)),
                .init("reconstructed", .integer(reconstructed)), .init("exchanges", .integer(exchanges)),
                .init("payload", pair(\.payload)),
                .init("messages", pair(\.messages)), .init("overhead", pair(\.overhead)),
                .init("tlsOverhead", pair(\.tls)), .init("http2Overhead", pair(\.http2)),
            ]
                + ConnectionPart.rare.map { part in .init(part.name, pair { $0.rare[part] ?? 0 }) } + [
                    .init("unaccounted", pair(\.unaccounted)), .init("segments", pair(\.segments)),
                    .init("retransmitted", .integer(retransmitted)),
                    .init(
                        "ipBytes",
                        .object(
                            ByteFlow(up: up.packets, down: down.packets).members + [.init("estimated", .bool(true))])),
                ])
    }
}

extension ConnectionRecord {
    /// The protocol and the version of TLS, short and safe to print on a terminal.
    var protocolText: String {
        let words = [applicationProtocol, tls.map { $0.version.isEmpty ? "TLS" : $0.version } ?? ""]
        let text = words.filter { !$0.isEmpty }.joined(separator: ", ")
        return text.isEmpty ? "–" : TerminalText.escaped(text)
    }
}
