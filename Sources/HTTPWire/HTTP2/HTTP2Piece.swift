internal import CHTTPWire
package import TrafficModel

/// Bytes of one frame of HTTP/2 (RFC 9113, section 4.1), or of several that carry data of one stream.
///
/// Pieces add up: a frame may come in several.
package struct HTTP2Piece: Hashable, Sendable {
    /// What a frame is for (RFC 9113, section 6), as far as its bytes count differently.
    package enum Kind: Hashable, Sendable {
        /// What a client sends before its first frame (section 3.4).
        case preface
        case data
        case headers
        case continuation
        /// PRIORITY, RST_STREAM, PUSH_PROMISE, WINDOW_UPDATE, SETTINGS, PING, GOAWAY, and what nobody knows.
        case other
    }

    /// The stream; 0 for the connection itself.
    package var stream: UInt32
    /// What the frame is for.
    package var kind: Kind
    /// Whether the begin of a frame is among the bytes.
    package var begins: Bool
    /// Whether the last byte of a frame is among them that ends its side of the stream (END_STREAM).
    package var endsStream: Bool
    /// The frame's header, padding and priority; all of a frame that has neither fields nor content.
    package var overhead: ByteCount
    /// Content of a body, or a header section as HPACK has compressed it.
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

    /// All bytes.
    package var bytes: ByteCount { overhead + content }
}

extension HTTP2Piece {
    /// Whether flags of a frame of that type say that it is the last of its side of the stream (RFC 9113, section 6).
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

/// Takes the bytes of one direction of a connection apart into frames, in any split.
package struct HTTP2Scanner {
    private var scanner = ww_http2_scanner()

    /// A scanner of what a client sends, which begins with the preface, or of what a server sends.
    package init(ofClient: Bool) { ww_http2_begin(&scanner, ofClient) }

    /// Bytes of a frame's header that has not come whole: nobody knows yet what they belong to.
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

    /// Takes the next bytes, and hands on their frames with what they hold.
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
