/// The bytes of a connection by purpose: payload = messages + TLS + HTTP/2's own frames + rarer parts + what is
/// unaccounted for.
public struct ConnectionLedger: Hashable, Sendable {
    /// The ledger of one direction.
    public struct Side: Hashable, Sendable {
        /// Payload by the kernel's count.
        public var payload: Int64
        /// The messages of all exchanges.
        public var messages: Int64
        /// TLS records' headers, padding and tags, handshakes and alerts.
        public var tls: Int64
        /// HTTP/2's frames that belong to no message.
        public var http2: Int64
        /// Bytes of the parts that few connections have; parts without bytes are left out.
        public var rare: [ConnectionPart: Int64]
        /// The bytes that no part explains; below zero if the program passed on more than the kernel sent.
        public var unaccounted: Int64

        /// The bytes that protocols add to what they carry.
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

    /// The bytes sent.
    public var up: Side
    /// The bytes received.
    public var down: Side
    /// How the overhead is known.
    ///
    /// It is `captured` if all of it is frames that the meter saw. It is `reported` if TLS is what the kernel counted
    /// beyond the plaintext. It is `reconstructed` if the plaintext was not counted: then TLS is all that belongs to no
    /// message, and nothing can be left over.
    public var evidence: Evidence

    /// Whether nothing is left over in either direction.
    public var isClosed: Bool { up.unaccounted == 0 && down.unaccounted == 0 }
}

extension ConnectionRecord {
    /// The ledger; nil if the kernel's count is not known.
    public var ledger: ConnectionLedger? { ledger(of: load) }

    /// The ledger that the connection has if it carried that load; nil if the kernel's count is not known.
    package func ledger(of load: ConnectionLoad) -> ConnectionLedger? {
        guard let payloadUp, let payloadDown else { return nil }
        return ConnectionLedger(
            up: side(payloadUp.bytes, of: load) { $0.up }, down: side(payloadDown.bytes, of: load) { $0.down },
            evidence: tls == nil ? .captured : load.plaintext == nil ? .reconstructed : .reported)
    }

    private func side(
        _ payload: Int64, of load: ConnectionLoad, _ direction: (ByteFlow) -> ByteCount
    ) -> ConnectionLedger.Side {
        let messages = direction(load.messages).bytes
        let clear = direction(load.clearMessages).bytes
        let http2 = direction(load.http2Control).bytes
        var rare: [ConnectionPart: Int64] = [:]
        var (outside, inside) = (clear, messages &- clear &+ http2)
        if !load.parts.isEmpty {
            for (part, flow) in load.parts where direction(flow) > 0 {
                let bytes = direction(flow).bytes
                rare[part] = bytes
                if part.isOutsideTLS { outside &+= bytes } else { inside &+= bytes }
            }
        }
        var tls: Int64 = 0
        if self.tls != nil {
            if let plaintext = load.plaintext { inside = direction(plaintext).bytes }
            tls = max(0, payload &- outside &- inside)
        }
        let rest = payload &- messages &- tls &- http2
        return ConnectionLedger.Side(
            payload: payload, messages: messages, tls: tls, http2: http2, rare: rare,
            unaccounted: rare.isEmpty ? rest : rare.values.reduce(rest, &-))
    }
}
