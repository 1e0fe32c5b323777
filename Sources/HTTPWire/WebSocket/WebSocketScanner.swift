internal import CHTTPWire

/// Separates frames of WebSocket from their payload (RFC 6455, section 5.2), however the bytes of a direction are
/// split.
package struct WebSocketScanner {
    private var scanner = ww_websocket_scanner()

    package init() {}

    /// Bytes of frame headers and masking keys so far, including those of an incomplete header.
    package var overhead: UInt64 { scanner.overhead }
    /// Bytes of payload so far as sent: masked, perhaps compressed, including control frames.
    package var payload: UInt64 { scanner.payload }
    /// Bytes that are no frames: all from the first one that does not start a valid frame.
    package var unseparated: UInt64 { scanner.unseparated }
    /// Frames whose header is complete.
    package var frames: UInt64 { scanner.frames }
    /// The number of those that are close, ping or pong (section 5.5).
    package var controlFrames: UInt64 { scanner.control_frames }
    /// Messages whose last frame is complete (section 5.4).
    package var messages: UInt64 { scanner.messages }
    /// Whether bytes have come that are no frame: a reserved opcode, a length over 63 bits, a control frame that is too
    /// long or fragmented.
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
