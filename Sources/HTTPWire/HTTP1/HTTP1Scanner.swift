internal import CHTTPWire

/// Parts the bytes of one connection of HTTP/1 into messages, and those into header section, content and framing
/// (RFC 9112), in any split.
///
/// It decides within the first line whether the connection carries HTTP at all, and hands over to HTTP/2 and to other
/// protocols. It keeps a few counters, whatever comes.
package struct HTTP1Scanner {
    private var connection = ww_http1_connection()

    package init() { ww_http1_begin(&connection) }

    /// How many bytes of that direction are held back, since nothing says yet what they are.
    package func held(ofResponse isResponse: Bool) -> Int {
        Int(isResponse ? connection.response.held : connection.request.held)
    }

    /// The protocol that a 101 has named, such as `websocket`; empty for a tunnel, and as long as there is none.
    package var upgrade: String {
        withUnsafeBytes(of: connection.upgrade) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Whether a request came when ``mostPending`` others had no answer: from there on, requests are surplus.
    package var isFull: Bool { connection.is_full != 0 }

    /// How many requests may wait for their answers.
    package static let mostPending = Int(WW_HTTP1_MOST_PENDING)
    /// The most bytes of a header section; of a longer one, the rest is surplus.
    package static let mostHead = Int(WW_HTTP1_MOST_HEAD)
    /// The most bytes of a line, its end included.
    package static let mostLine = Int(WW_HTTP1_MOST_LINE)

    /// Takes the next bytes of a direction.
    ///
    /// A request's bytes must come before those of its response: what answers nothing is surplus.
    package mutating func add(_ bytes: [UInt8], ofResponse isResponse: Bool) -> [HTTP1Piece] {
        var pieces: [HTTP1Piece] = []
        bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            var at = 0
            while at < buffer.count {
                var piece = ww_http1_piece()
                let count = ww_http1_scan(&connection, isResponse, start + at, buffer.count - at, &piece)
                let side = isResponse ? connection.response : connection.request
                if let piece = HTTP1Piece(piece, range: at..<(at + count), of: side) { pieces.append(piece) }
                at += count
            }
        }
        return pieces
    }

    /// That direction is closed.
    ///
    /// - Returns: what was held back, and whether a message has ended by it or was cut; nil where neither.
    package mutating func end(ofResponse isResponse: Bool) -> HTTP1Piece? {
        var piece = ww_http1_piece()
        ww_http1_end(&connection, isResponse, &piece)
        let side = isResponse ? connection.response : connection.request
        guard piece.held > 0 || piece.ends != 0 || piece.is_cut != 0 else { return nil }
        return HTTP1Piece(piece, range: 0..<0, of: side)
    }
}
