internal import CHTTPWire

/// Tells the frames of WebSocket from their payload (RFC 6455, section 5.2), piece by piece, in any split of the bytes of
/// one direction.
package struct WebSocketScanner {
    private var scanner = ww_websocket_scanner()

    package init() {}

    /// Bytes of frame headers and masking keys so far, those of a header that is not whole among them.
    package var overhead: UInt64 { scanner.overhead }
    /// Bytes of payload so far, as they were sent: masked, perhaps compressed; those of control frames among them.
    package var payload: UInt64 { scanner.payload }
    /// Bytes that are no frames: all from the first on that begins none.
    package var unseparated: UInt64 { scanner.unseparated }
    /// Frames whose header has come whole.
    package var frames: UInt64 { scanner.frames }
    /// Of them those that close, ping or pong (section 5.5).
    package var controlFrames: UInt64 { scanner.control_frames }
    /// Messages whose last frame has come whole (section 5.4).
    package var messages: UInt64 { scanner.messages }
    /// Whether something has come that is no frame: a reserved opcode, a length of 64 bits, a control frame that is long or
    /// in fragments.
    package var isMalformed: Bool { scanner.is_malformed }

    /// Takes the next bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            ww_websocket_add(&scanner, start, buffer.count)
        }
    }
}
