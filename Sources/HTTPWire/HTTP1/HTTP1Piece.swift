internal import CHTTPWire

/// Bytes of one kind in one direction of a connection of HTTP/1.
///
/// Pieces add up: bytes of one kind may come in several pieces.
package struct HTTP1Piece: Hashable, Sendable {
    /// What bytes of a connection belong to.
    package enum Kind: Hashable, Sendable {
        /// Start line, field lines and empty line (RFC 9112, section 2.1).
        case head
        /// Bytes of a body, with content coding and without framing.
        case content
        /// The framing of a chunked body, including trailers (RFC 9112, section 7.1).
        case framing
        /// Bytes of the protocol that follows a 101 (RFC 9110, section 7.8) or a CONNECT (section 9.3.6).
        case upgraded
        /// Bytes after the end of a message that are part of no message.
        case surplus
        /// Bytes of HTTP/2, from the client's preface on or after a 101 to h2c (RFC 9113, section 3).
        case http2
        /// Bytes of a connection that carries no HTTP.
        case foreign
    }

    package var kind: Kind
    /// Bytes that came earlier and were held back until their kind was known; mostly none.
    package var lead: [UInt8] = []
    /// The range of its other bytes, in the bytes that the scanner was given.
    package var range = 0..<0
    /// Whether the first byte of a header section, or of HTTP/0.9's bare content, is among them.
    package var begins = false
    /// Whether the last byte of a header section is among them.
    package var endsHead = false
    /// Whether they complete the message.
    package var ends = false
    /// Whether the response that ends here has kept the request's content from being sent (RFC 9110, section 10.1.1).
    package var isRefused = false
    /// Whether the connection ended within a message.
    package var isCut = false
    /// The status of a response's header section that ends here; 0 if its line has none.
    package var status = 0
    /// The number of bytes reported as ``Kind/head`` before that are of this kind, because their line was not a
    /// request's.
    package var undone = 0

    /// The number of its bytes, without those that are ``undone``.
    package var count: Int { lead.count + range.count }

    package init(_ kind: Kind) { self.kind = kind }

    /// Converts the piece of the C scanner; nil while its bytes are held back.
    init?(_ piece: ww_http1_piece, range: Range<Int>, of side: ww_http1_side) {
        switch UInt32(piece.kind) {
        case WW_HTTP1_HEAD.rawValue: kind = .head
        case WW_HTTP1_CONTENT.rawValue: kind = .content
        case WW_HTTP1_FRAMING.rawValue: kind = .framing
        case WW_HTTP1_UPGRADED.rawValue: kind = .upgraded
        case WW_HTTP1_SURPLUS.rawValue: kind = .surplus
        case WW_HTTP1_HTTP2.rawValue: kind = .http2
        case WW_HTTP1_FOREIGN.rawValue: kind = .foreign
        default: return nil
        }
        if piece.held > 0 { lead = withUnsafeBytes(of: side.held_bytes) { Array($0.prefix(Int(piece.held))) } }
        self.range = range
        begins = piece.begins != 0
        endsHead = piece.ends_head != 0
        ends = piece.ends != 0
        isRefused = piece.is_refused != 0
        isCut = piece.is_cut != 0
        status = Int(piece.status)
        undone = Int(piece.undone)
    }
}
