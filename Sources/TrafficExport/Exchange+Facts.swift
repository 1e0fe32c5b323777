import TrafficModel
import TrafficReports

extension Exchange {
    /// Why there is no whole response, in words; nil where there is one.
    var trouble: String? {
        guard let outcome = end?.outcome else { return "running" }
        if outcome == .completed { return nil }
        if let failure = outcome.failure {
            return failure.message.isEmpty ? "failed with \(failure.code)" : failure.message
        }
        return outcome == .timedOut ? "timed out" : outcome.name
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
