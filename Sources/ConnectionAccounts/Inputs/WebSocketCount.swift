/// The bytes after a 101 that switches to WebSocket (RFC 6455, section 5.2).
package struct WebSocketCount: Sendable {
    /// The frames of one direction.
    package struct Side: Sendable {
        /// The bytes of frame headers.
        package var overhead: Int64
        package var payload: Int64
        package var frames: Int64
        package var controlFrames: Int64
        package var messages: Int64

        package init(overhead: Int64, payload: Int64, frames: Int64, controlFrames: Int64, messages: Int64) {
            self.overhead = overhead
            self.payload = payload
            self.frames = frames
            self.controlFrames = controlFrames
            self.messages = messages
        }
    }

    package var up: Side
    package var down: Side

    package init(up: Side, down: Side) {
        self.up = up
        self.down = down
    }
}
