internal import CHTTPWire

/// Splits the bytes of one connection of HTTP/1 into messages, and those into header section, content and framing
/// (RFC 9112), however the bytes are split.
///
/// It decides within the first line whether the connection carries HTTP at all. It recognises the switch to HTTP/2 and
/// to other protocols. It keeps only a few counters, whatever comes.
package struct HTTP1Scanner {
    private var connection = ww_http1_connection()

    package init() { ww_http1_begin(&connection) }

    /// The number of bytes of that direction that are held back, because their kind is not known yet.
    package func held(ofResponse isResponse: Bool) -> Int {
        Int(isResponse ? connection.response.held : connection.request.held)
    }

    /// The protocol that a 101 has named, such as `websocket`; empty for a tunnel, and before a switch.
    package var upgrade: String {
        withUnsafeBytes(of: connection.upgrade) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Whether a request came while ``mostPending`` others, or ``mostRuns`` runs of others, had no response: it and all
    /// later requests are surplus.
    package var isFull: Bool { connection.is_full != 0 }

    /// The number of requests that may wait for their responses.
    package static let mostPending = Int(WW_HTTP1_MOST_PENDING)
    /// The same of their runs, each of up to 64 requests of one kind: HEAD, CONNECT, or any other method.
    package static let mostRuns = Int(WW_HTTP1_MOST_RUNS)
    /// The size limit of a header section in bytes; the rest of a longer one is surplus.
    package static let mostHead = Int(WW_HTTP1_MOST_HEAD)
    /// The size limit of a line in bytes, including its end.
    package static let mostLine = Int(WW_HTTP1_MOST_LINE)

    /// Takes the next bytes of a direction.
    ///
    /// A request's bytes must come before those of its response: a response without a request is surplus.
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

    /// Ends a direction, because it was closed.
    ///
    /// - Returns: the bytes that were held back, and whether a message ended there or was cut; nil if there is neither.
    package mutating func end(ofResponse isResponse: Bool) -> HTTP1Piece? {
        var piece = ww_http1_piece()
        ww_http1_end(&connection, isResponse, &piece)
        let side = isResponse ? connection.response : connection.request
        guard piece.held > 0 || piece.ends != 0 || piece.is_cut != 0 else { return nil }
        return HTTP1Piece(piece, range: 0..<0, of: side)
    }
}
