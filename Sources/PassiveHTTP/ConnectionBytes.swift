package import TrafficModel

/// Where the bytes of a connection went; the parts and what is held back add up to all that was received.
package struct ConnectionBytes: Hashable, Sendable {
    /// Requests and responses.
    package var messages = ByteFlow.zero
    /// The preface and frames of HTTP/2 that belong to no exchange: of the connection itself, and of streams that were over.
    package var http2Control = ByteFlow.zero
    /// What another protocol carried, after a 101 or in a tunnel.
    package var upgraded = ByteFlow.zero
    /// What came after the end of a message and belongs to none.
    package var afterMessage = ByteFlow.zero
    /// All bytes of a connection that carries no HTTP.
    package var foreign = ByteFlow.zero

    package init() {}

    /// All parts.
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
    /// What is left without those bytes.
    static func - (left: ByteCount, right: ByteCount) -> ByteCount { ByteCount(left.bytes - right.bytes) }
}
