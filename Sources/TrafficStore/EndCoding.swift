internal import TrafficModel

/// The part of an end that no query looks at, as a blob; and its outcome as a number.
enum EndCoding {
    private static let microseconds: UInt64 = 1 << 7
    // The column has a duration, but it is the distance of two moments and not the total that was told.
    private static let noTotal: UInt64 = 1 << 8

    /// The timings but the total, and the end's distance from the request's begin.
    ///
    /// A first number tells by bits which timings are there, and whether all are whole microseconds (as libcurl
    /// measures them) and are written so.
    static func details(of end: ExchangeEnd, startedAt: Timestamp) -> [UInt8] {
        let timings = end.timings
        let parts = [
            timings.queue, timings.dns, timings.connect, timings.tls, timings.send, timings.wait, timings.receive,
        ]
        var mask: UInt64 = microseconds
        for (index, part) in parts.enumerated() {
            guard let part else { continue }
            mask |= 1 << UInt64(index)
            if part % 1_000 != 0 { mask &= ~microseconds }
        }
        let unit: Int64 = mask & microseconds != 0 ? 1_000 : 1
        if timings.total == nil { mask |= noTotal }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        bytes.appendVarint(mask)
        bytes.appendSigned(end.endedAt.nanoseconds &- startedAt.nanoseconds)
        for case .some(let part) in parts { bytes.appendSigned(part / unit) }
        return bytes
    }

    /// Reads the blob back, with the duration in the column `total`.
    static func read(_ blob: [UInt8], startedAt: Timestamp, total: Int64?) -> (Timestamp, ExchangeTimings) {
        var reader = ByteReader(blob)
        let mask = reader.varint()
        let endedAt = Timestamp(nanoseconds: startedAt.nanoseconds &+ reader.signed())
        let unit: Int64 = mask & microseconds != 0 ? 1_000 : 1
        func part(_ index: UInt64) -> Int64? { mask & (1 << index) == 0 ? nil : reader.signed() &* unit }
        let timings = ExchangeTimings(
            queue: part(0), dns: part(1), connect: part(2), tls: part(3), send: part(4), wait: part(5),
            receive: part(6), total: mask & noTotal == 0 ? total : nil)
        return (endedAt, timings)
    }

    /// The outcome, and in the fourth bit whether the connection had been used before.
    static func number(of end: ExchangeEnd) -> Int64 {
        let outcome: Int64 =
            switch end.outcome {
            case .completed: 0
            case .failed: 1
            case .cancelled: 2
            case .timedOut: 3
            case .abandoned: 4
            }
        return outcome | (end.reusedConnection ? 8 : 0)
    }

    /// The outcome of such a number.
    static func outcome(_ number: Int64, failure: (code: Int, message: String)?) -> ExchangeEnd.Outcome {
        switch number & 7 {
        case 0: .completed
        case 1: .failed(code: failure?.code ?? 0, message: failure?.message ?? "")
        case 2: .cancelled
        case 3: .timedOut
        default: .abandoned
        }
    }
}

extension ExchangeEnd {
    /// The duration that counts among the latencies; nil for an exchange whose end nobody saw.
    func latency(startedAt: Timestamp) -> Int64? {
        if let total = timings.total { return total }
        return outcome == .abandoned ? nil : endedAt.nanoseconds &- startedAt.nanoseconds
    }
}
