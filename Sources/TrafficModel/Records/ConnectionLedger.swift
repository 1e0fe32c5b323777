/// Where each byte of a connection went: payload = messages + TLS + HTTP/2's own frames + other parts that have a name +
/// what is unaccounted for.
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
        /// The parts that few connections have; those of no bytes are left out.
        public var rare: [ConnectionPart: Int64]
        /// What is left; below zero where more was handed over than the kernel sent.
        public var unaccounted: Int64

        /// What the protocols take beside what they carry.
        public var overhead: Int64 {
            rare.isEmpty ? tls &+ http2 : rare.reduce(tls &+ http2) { $1.key.isOverhead ? $0 &+ $1.value : $0 }
        }

        /// The bytes of one part.
        public subscript(part: ConnectionPart) -> Int64 {
            switch part {
            case .messages: messages
            case .tls: tls
            case .http2: http2
            case .unaccounted: unaccounted
            default: rare[part] ?? 0
            }
        }

        /// All parts that have bytes, in the order of ``ConnectionPart/all``; they add up to the payload.
        public var parts: [(part: ConnectionPart, bytes: Int64)] {
            ConnectionPart.all.map { ($0, self[$0]) }.filter { $0.bytes != 0 }
        }
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
    /// The ledger; nil where the kernel's count is not known.
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
        var rare: [ConnectionPart: Int64] = [:]
        var (outside, inside) = (clear, messages &- clear &+ http2)
        if !load.parts.isEmpty {
            for (part, flow) in load.parts where flow[keyPath: direction] > 0 {
                let bytes = flow[keyPath: direction].bytes
                rare[part] = bytes
                if part.isOutsideTLS { outside &+= bytes } else { inside &+= bytes }
            }
        }
        var tls: Int64 = 0
        if self.tls != nil {
            if let plaintext = load.plaintext { inside = plaintext[keyPath: direction].bytes }
            tls = max(0, payload &- outside &- inside)
        }
        return ConnectionLedger.Side(
            payload: payload, messages: messages, tls: tls, http2: http2, rare: rare,
            unaccounted: rare.values.reduce(payload &- messages &- tls &- http2, &-))
    }
}
