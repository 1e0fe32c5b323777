package import TrafficModel

/// The bytes of a connection by what they belonged to; together with the held bytes they are all that was received.
package struct ConnectionBytes: Hashable, Sendable {
    /// Bytes of requests and responses.
    package var messages = ByteFlow.zero
    /// HTTP/2's preface, and frames that belong to no exchange: of the connection itself, and of streams that were
    /// over.
    package var http2Control = ByteFlow.zero
    /// Bytes of another protocol, after a 101 or in a tunnel.
    package var upgraded = ByteFlow.zero
    /// Bytes after the end of a message that belong to no message.
    package var afterMessage = ByteFlow.zero
    /// All bytes of a connection that carries no HTTP.
    package var foreign = ByteFlow.zero

    package init() {}

    /// The sum of all parts.
    package var total: ByteFlow { messages + http2Control + upgraded + afterMessage + foreign }
}

extension ByteFlow {
    /// The bytes of one direction.
    subscript(direction: Direction) -> ByteCount {
        get { direction == .up ? up : down }
        set { if direction == .up { up = newValue } else { down = newValue } }
    }
}

extension ByteCount {
    /// The difference of two counts.
    static func - (left: ByteCount, right: ByteCount) -> ByteCount { ByteCount(left.bytes - right.bytes) }
}
