/// The frames and messages after a switch to WebSocket; their bytes are in ``ConnectionLoad/parts`` (RFC 6455).
public struct WebSocketLoad: Hashable, Sendable {
    /// The counts of one direction.
    public struct Side: Hashable, Sendable {
        /// Frames whose header has passed, including control frames (section 5.2).
        public var frames: Int64
        /// Control frames among them: close, ping and pong (section 5.5).
        public var controlFrames: Int64
        /// Messages whose last frame has passed completely (section 5.4).
        public var messages: Int64

        /// A direction with those counts.
        public init(frames: Int64 = 0, controlFrames: Int64 = 0, messages: Int64 = 0) {
            self.frames = frames
            self.controlFrames = controlFrames
            self.messages = messages
        }
    }

    /// What was sent.
    public var up: Side
    /// What was received.
    public var down: Side

    /// Both directions.
    public init(up: Side = Side(), down: Side = Side()) {
        self.up = up
        self.down = down
    }

    /// The counts of both directions under their names in machine formats.
    package var counts: [(name: String, up: Int64, down: Int64)] {
        [
            ("frames", up.frames, down.frames), ("controlFrames", up.controlFrames, down.controlFrames),
            ("messages", up.messages, down.messages),
        ]
    }
}
