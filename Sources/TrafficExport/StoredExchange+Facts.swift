import TextFormats
import TrafficModel

extension StoredExchange {
    /// Why there is no complete response, in words; nil if there is one.
    var trouble: String? {
        guard let outcome = end?.outcome else { return "running" }
        if outcome == .completed { return nil }
        if let failure = outcome.failure {
            return failure.message.isEmpty ? "failed with \(failure.code)" : failure.message
        }
        return outcome == .timedOut ? "timed out" : outcome.name
    }

    /// The peer's address without its port; nil if there was no connection.
    var peer: (address: String, port: Int?)? {
        guard let text = end?.remoteAddress, !text.isEmpty else { return nil }
        let end = AddressParts(text)
        return (end.address, end.port)
    }
}

extension WireSize.Part {
    /// The bytes; nil if they are not known.
    var known: Int64? { evidence == .unknown ? nil : bytes.bytes }
}

extension WireSize {
    /// The bytes from the start of the message to the empty line that ends its headers; nil if a part of that is
    /// unknown.
    var head: Int64? {
        guard let line = startLine.known, let fields = fields.known else { return nil }
        return (ByteCount(line) + ByteCount(fields)).bytes
    }
}
