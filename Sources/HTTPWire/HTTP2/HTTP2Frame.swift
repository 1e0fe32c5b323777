internal import CHTTPWire

/// Bytes of one HTTP/2 frame, and those of its payload (RFC 9113, section 4.1).
package struct HTTP2Frame {
    /// The type of a frame (section 6), as far as its payload matters to the connection.
    package enum Kind: Hashable, Sendable {
        case data, headers, reset, settings, promise, goAway, continuation, other
    }

    /// The stream of the bytes, and how they count.
    package var piece: HTTP2Piece
    package var kind: Kind
    /// The flags of the frame.
    package var flags: UInt8
    /// The bytes that belong to the payload, padding included.
    package var payload: ArraySlice<UInt8>
    /// Whether the frame's last byte is among them.
    package var ends: Bool

    /// END_STREAM of DATA and HEADERS, and ACK of SETTINGS.
    package var hasFirstFlag: Bool { flags & 0x01 != 0 }
    /// END_HEADERS.
    package var endsHeaders: Bool { flags & 0x04 != 0 }
    /// PADDED.
    package var isPadded: Bool { flags & 0x08 != 0 }
    /// PRIORITY of HEADERS.
    package var isPrioritized: Bool { flags & 0x20 != 0 }
}

extension HTTP2Frame.Kind {
    init(type: UInt8) {
        switch UInt32(type) {
        case WW_HTTP2_DATA.rawValue: self = .data
        case WW_HTTP2_HEADERS.rawValue: self = .headers
        case WW_HTTP2_RST_STREAM.rawValue: self = .reset
        case WW_HTTP2_SETTINGS.rawValue: self = .settings
        case WW_HTTP2_PUSH_PROMISE.rawValue: self = .promise
        case WW_HTTP2_GOAWAY.rawValue: self = .goAway
        case WW_HTTP2_CONTINUATION.rawValue: self = .continuation
        default: self = .other
        }
    }
}
