package import HTTPWire
package import TrafficModel

/// The bytes of one HTTP/2 stream, in both directions.
package struct HTTP2Stream: Sendable {
    package var up = HTTP2Message()
    package var down = HTTP2Message()

    package var bytes: ByteFlow { ByteFlow(up: up.bytes, down: down.bytes) }

    mutating func add(_ part: HTTP2Frames.Part) {
        if part.isDown { down.add(part.piece) } else { up.add(part.piece) }
    }
}
