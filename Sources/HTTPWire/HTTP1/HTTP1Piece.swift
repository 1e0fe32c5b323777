internal import CHTTPWire

/// Bytes of one kind in one direction of a connection of HTTP/1.
///
/// Pieces add up: bytes of one kind may come in several.
package struct HTTP1Piece: Hashable, Sendable {
    /// What bytes are.
    package enum Kind: Hashable, Sendable {
        /// Start line, field lines and empty line (RFC 9112, section 2.1).
        case head
        /// Of a body, after content coding and before framing.
        case content
        /// Of a chunked body, trailers included (RFC 9112, section 7.1).
        case framing
        /// Of the protocol that follows a 101 (RFC 9110, section 7.8) or a CONNECT (section 9.3.6).
        case upgraded
        /// After the end of a message, and part of none.
        case surplus
        /// Of HTTP/2, from the client's preface on or after a 101 to h2c (RFC 9113, section 3).
        case http2
        /// The connection carries no HTTP.
        case foreign
    }

    package var kind: Kind
    /// Bytes that came earlier and were held back until it was known what they are; mostly none.
    package var lead: [UInt8] = []
    /// Where its other bytes are among those that were handed over.
    package var range = 0..<0
    /// Whether the first byte of a header section is among them, or of HTTP/0.9's bare content.
    package var begins = false
    /// Whether the last byte of a header section is among them.
    package var endsHead = false
    /// Whether the message is whole with them.
    package var ends = false
    /// Whether the connection ended in the midst of a message.
    package var isCut = false
    /// The status of a response's header section that ends here; 0 where its line has none.
    package var status = 0
    /// How many bytes that were called a head before are of this kind instead, because their line was no request's.
    package var undone = 0

    /// How many bytes it has, without those that are ``undone``.
    package var count: Int { lead.count + range.count }

    package init(_ kind: Kind) { self.kind = kind }

    /// The piece as C gives it; nil while its bytes are held back.
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
        isCut = piece.is_cut != 0
        status = Int(piece.status)
        undone = Int(piece.undone)
    }
}
