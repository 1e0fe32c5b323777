/// Where each byte of a connection went: payload = messages + TLS + HTTP/2's own frames + what is unaccounted for.
public struct ConnectionLedger: Hashable, Sendable {
    /// One direction.
    public struct Side: Hashable, Sendable {
        /// Payload by the kernel's count.
        public var payload: Int64
        /// The messages of all exchanges.
        public var messages: Int64
        /// TLS records' headers, padding and tags, handshakes and alerts.
        public var tls: Int64
        /// HTTP/2's frames that belong to no message.
        public var http2: Int64
        /// What is left; below zero where more was handed over than the kernel sent.
        public var unaccounted: Int64

        /// What the protocols take beside the messages.
        public var overhead: Int64 { tls &+ http2 }
    }

    /// What was sent.
    public var up: Side
    /// What was received.
    public var down: Side
    /// How the overhead is known: `captured` where all of it is frames that were seen, `reported` where TLS takes what the
    /// kernel counted beyond the plaintext, `reconstructed` where the plaintext was not counted, so that TLS takes
    /// whatever is not a message and nothing can be left over.
    public var evidence: Evidence

    /// Whether nothing is left over in either direction.
    public var isClosed: Bool { up.unaccounted == 0 && down.unaccounted == 0 }
}

extension ConnectionRecord {
    /// The ledger; nil where the kernel did not tell what it carried.
    public var ledger: ConnectionLedger? {
        guard let sent, let received else { return nil }
        return ConnectionLedger(
            up: side(sent.bytes, \.up), down: side(received.bytes, \.down),
            evidence: tls == nil ? .captured : load.plaintext == nil ? .reconstructed : .reported)
    }

    private func side(_ payload: Int64, _ direction: KeyPath<ByteFlow, ByteCount>) -> ConnectionLedger.Side {
        let messages = load.messages[keyPath: direction].bytes
        let clear = load.clearMessages[keyPath: direction].bytes
        let http2 = load.http2Control[keyPath: direction].bytes
        var tls: Int64 = 0
        if self.tls != nil {
            let inside = load.plaintext?[keyPath: direction].bytes ?? (messages &- clear &+ http2)
            tls = max(0, payload &- clear &- inside)
        }
        return ConnectionLedger.Side(
            payload: payload, messages: messages, tls: tls, http2: http2,
            unaccounted: payload &- messages &- tls &- http2)
    }
}
