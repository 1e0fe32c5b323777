internal import CHTTPWire
package import TrafficModel

/// Bytes of one HTTP/2 frame (RFC 9113, section 4.1), or of several that carry data of one stream.
///
/// Pieces add up: a frame may come in several pieces.
package struct HTTP2Piece: Hashable, Sendable {
    /// The type of a frame (RFC 9113, section 6), as far as its bytes count differently.
    package enum Kind: Hashable, Sendable {
        /// The bytes that a client sends before its first frame (section 3.4).
        case preface
        case data
        case headers
        case continuation
        /// PRIORITY, RST_STREAM, PUSH_PROMISE, WINDOW_UPDATE, SETTINGS, PING, GOAWAY, and unknown types.
        case other
    }

    /// The stream; 0 for the connection itself.
    package var stream: UInt32
    /// The type of the frame.
    package var kind: Kind
    /// Whether the first bytes of a frame are among them.
    package var begins: Bool
    /// Whether they include the last byte of a frame that ends its side of the stream (END_STREAM).
    package var endsStream: Bool
    /// The bytes of the frame's header, padding and priority; of the whole frame if its type has neither fields nor
    /// content.
    package var overhead: ByteCount
    /// The bytes of a body, or of a header section as compressed by HPACK.
    package var content: ByteCount

    package init(
        stream: UInt32, kind: Kind, begins: Bool, endsStream: Bool = false, overhead: ByteCount, content: ByteCount
    ) {
        self.stream = stream
        self.kind = kind
        self.begins = begins
        self.endsStream = endsStream
        self.overhead = overhead
        self.content = content
    }

    /// Overhead and content together.
    package var bytes: ByteCount { overhead + content }
}

extension HTTP2Piece {
    /// Whether the flags of a frame of that type say that it is the last of its side of the stream (RFC 9113, section
    /// 6).
    package static func isEndOfStream(type: UInt8, flags: UInt8) -> Bool {
        (UInt32(type) == WW_HTTP2_DATA.rawValue || UInt32(type) == WW_HTTP2_HEADERS.rawValue)
            && UInt32(flags) & UInt32(WW_HTTP2_END_STREAM) != 0
    }
}

extension HTTP2Piece.Kind {
    /// The kind of a frame by its type (RFC 9113, section 6).
    package init(type: UInt8) {
        switch UInt32(type) {
        case WW_HTTP2_PREFACE.rawValue: self = .preface
        case WW_HTTP2_DATA.rawValue: self = .data
        case WW_HTTP2_HEADERS.rawValue: self = .headers
        case WW_HTTP2_CONTINUATION.rawValue: self = .continuation
        default: self = .other
        }
    }
}

/// Splits the bytes of one direction of a connection into frames, however they are split on arrival.
package struct HTTP2Scanner {
    private var scanner = ww_http2_scanner()

    /// A scanner for the bytes of a client, which start with the preface, or of a server.
    package init(ofClient: Bool) { ww_http2_begin(&scanner, ofClient) }

    /// The number of bytes of an incomplete frame header; their stream is not known yet.
    package var pending: Int {
        let count = Int(scanner.header_count)
        return count < Int(WW_HTTP2_HEADER_SIZE) ? count : 0
    }

    /// Takes the next bytes.
    package mutating func add(_ bytes: [UInt8]) -> [HTTP2Piece] {
        var pieces: [HTTP2Piece] = []
        read(bytes[...]) { pieces.append($0.piece) }
        return pieces
    }

    /// Takes the next bytes, and passes their frames with their payload to `visit`.
    package mutating func read(_ bytes: ArraySlice<UInt8>, _ visit: (HTTP2Frame) -> Void) {
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            var at = 0
            while at < buffer.count {
                var piece = ww_http2_piece()
                let header = Int(scanner.header_count)
                let count = ww_http2_scan(&scanner, start + at, buffer.count - at, &piece)
                let end = at + count
                defer { at = end }
                guard piece.overhead > 0 || piece.content > 0 else { continue }
                let isPreface = UInt32(piece.type) == WW_HTTP2_PREFACE.rawValue
                let payload = isPreface ? end : piece.begins != 0 ? at + Int(WW_HTTP2_HEADER_SIZE) - header : at
                visit(
                    HTTP2Frame(
                        piece: HTTP2Piece(
                            stream: piece.stream, kind: .init(type: piece.type), begins: piece.begins != 0,
                            endsStream: piece.ends != 0
                                && HTTP2Piece.isEndOfStream(type: piece.type, flags: piece.flags),
                            overhead: ByteCount(piece.overhead), content: ByteCount(piece.content)),
                        kind: isPreface ? .other : .init(type: piece.type), flags: piece.flags,
                        payload: bytes[(bytes.startIndex + payload)..<(bytes.startIndex + end)], ends: piece.ends != 0))
            }
        }
    }
}
