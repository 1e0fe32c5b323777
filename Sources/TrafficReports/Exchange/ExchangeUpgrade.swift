package import TextFormats
package import TrafficModel

/// The bytes that followed the 101 of an exchange on its connection.
package struct ExchangeUpgrade: Sendable {
    private let connection: StoredConnection

    /// The bytes that followed on that connection; nil if the exchange stayed with HTTP, or if the kernel did not
    /// report them.
    package init?(of exchange: StoredExchange, on connection: StoredConnection?) {
        guard exchange.response?.status == 101, let connection, connection.ledger != nil,
            connection.id == exchange.connection
        else { return nil }
        self.connection = connection
    }

    private func flow(_ part: ConnectionPart) -> ByteFlow { connection.load.parts[part] ?? .zero }

    /// All bytes after the 101.
    private var bytes: ByteFlow { flow(.webSocket) + flow(.webSocketPayload) + flow(.upgraded) }

    /// The lines of an exchange's sheet.
    func lines(_ style: TextStyle) -> [String] {
        var rows: [(String, up: Int64, down: Int64)] = []
        func add(_ name: String, _ flow: ByteFlow) { rows.append((name, flow.up.bytes, flow.down.bytes)) }
        if connection.load.webSocket != nil {
            add("frame headers", flow(.webSocket))
            add("payload", flow(.webSocketPayload))
        }
        if connection.load.webSocket == nil || flow(.upgraded) != .zero { add("not taken apart", flow(.upgraded)) }
        add("total", bytes)
        for count in connection.load.webSocket?.counts ?? [] {
            rows.append((Self.titles[count.name] ?? count.name, count.up, count.down))
        }
        let width = max(9, rows.flatMap { [$0.up, $0.down] }.map { Units.count($0).utf8.count }.max() ?? 0)
        func line(_ name: String, _ up: String, _ down: String) -> String {
            "  " + TerminalText.padded(name, to: 18, right: false) + "  "
                + TerminalText.padded(up, to: width, right: true) + "  "
                + TerminalText.padded(down, to: width, right: true)
        }
        let title = connection.load.webSocket == nil ? "After the 101" : "WebSocket after the 101"
        return [style.bold(title) + " (bytes)", line("", "up", "down")]
            + rows.map { line($0.0, Units.count($0.up), Units.count($0.down)) }
    }

    private static let titles = [
        "frames": "frames", "controlFrames": "  of which control", "messages": "messages",
    ]

    /// As an object: `bytes` in all, frames of WebSocket and what they carried, and bytes that were not taken apart.
    package var json: JSONValue {
        .object([
            .init("bytes", bytes.json), .init(ConnectionPart.webSocket.name, flow(.webSocket).json),
            .init(ConnectionPart.webSocketPayload.name, flow(.webSocketPayload).json),
            .init(ConnectionPart.upgraded.name, flow(.upgraded).json),
            .init("websocket", connection.load.webSocket?.json ?? .null),
        ])
    }
}
