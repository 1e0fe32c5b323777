package import TrafficModel

extension ConnectionTable {
    /// Adds a connection whose messages were not seen: the kernel's count is all that is known of what it carried.
    package mutating func add(
        _ unseen: UnseenConnection, process: ProcessIdentity, openedAt: Timestamp, closedAt: Timestamp?,
        next: () -> ConnectionID
    ) {
        let socket = unseen.socket
        var record = ConnectionRecord(
            connection: next(), process: process,
            localAddress: ConnectionEnds.text(socket.localAddress, socket.ends.localPort),
            remoteAddress: socket.ends.remote, openedAt: openedAt, closedAt: closedAt,
            unseen: UnseenTraffic(reason: unseen.reason, serverName: socket.handshake?.serverName ?? ""),
            direction: unseen.direction, handshake: socket.handshake, opening: unseen.opening)
        if unseen.usesTLS {
            record.tls = ConnectionRecord.TLS(
                version: socket.handshake?.version ?? "", cipher: socket.handshake?.cipher ?? "")
            record.applicationProtocol = socket.handshake?.applicationProtocol ?? ""
        }
        record.network = interfaces.network(local: socket.localAddress, remote: socket.ends.remoteAddress)
        if unseen.reason == .http2 { record.applicationProtocol = unseen.usesTLS ? "h2" : "h2c" }
        var account = ConnectionAccount(record: record)
        account.take(socket.kernel, socket.plaintext)
        record = account.record
        let payload = ByteFlow(up: record.payloadUp ?? .zero, down: record.payloadDown ?? .zero)
        let plaintext = socket.plaintext.map { $0.flow(record.direction) }
        record.load.plaintext = unseen.usesTLS ? plaintext : nil
        let rest = record.load.plaintext ?? payload
        if rest != .zero { record.load.parts[.unseen] = rest }
        connections.noteFinal(record)
    }
}
