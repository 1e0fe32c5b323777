import TrafficModel
import TrafficReports

extension Exchange {
    /// How long it took from the begin of the attempt, in nanoseconds; nil where it runs, or where nobody saw its end.
    var duration: Int64? {
        guard let end else { return nil }
        if let total = end.timings.total { return max(0, total) }
        return end.outcome == .abandoned ? nil : max(0, end.endedAt.nanoseconds &- request.startedAt.nanoseconds)
    }

    /// When the attempt began: before the first byte was sent, by the time of lookup and handshakes.
    var attemptedAt: Timestamp {
        guard let end, let total = end.timings.total, total >= 0 else { return request.startedAt }
        let begin = Timestamp(nanoseconds: end.endedAt.nanoseconds &- total)
        return min(begin, request.startedAt)
    }

    /// Why there is no whole response, in words; nil where there is one.
    var trouble: String? {
        switch end?.outcome {
        case nil: "running"
        case .completed: nil
        case .failed(let code, let message): message.isEmpty ? "failed with \(code)" : message
        case .cancelled: "cancelled"
        case .timedOut: "timed out"
        case .abandoned: "abandoned"
        }
    }

    /// The peer's address without its port; nil where there was no connection.
    var peer: (address: String, port: Int?)? {
        guard let text = end?.remoteAddress, !text.isEmpty else { return nil }
        let end = AddressParts(text)
        return (end.address, end.port)
    }
}

extension WireSize.Part {
    /// The bytes; nil where they are not known.
    var known: Int64? { evidence == .unknown ? nil : bytes.bytes }
}

extension WireSize {
    /// From the first byte of the message to the blank line behind its fields; nil where a part of that is unknown.
    var head: Int64? {
        guard let line = startLine.known, let fields = fields.known else { return nil }
        return (ByteCount(line) + ByteCount(fields)).bytes
    }
}
