package import TrafficModel

/// The direction of bytes on a connection.
package enum Direction: Hashable, Sendable, CaseIterable {
    /// From the client to the server.
    case up
    /// From the server to the client.
    case down
}

/// Something that a connection has carried; events come in the order in which it became known.
///
/// For each exchange its request comes first, then at most one response, then its end.
package enum ConnectionEvent: Hashable, Sendable {
    /// The header section of a request is complete, or was cut.
    case request(PassiveRequest)
    /// The final header section of a response is complete, or was cut; or HTTP/0.9's bare content has started.
    case response(PassiveResponse)
    /// No more bytes of an exchange can come.
    case end(PassiveEnd)
    /// Another protocol follows, as an exchange has requested: the token of Upgrade (RFC 9110, section 7.8), or an
    /// empty text for a tunnel (section 9.3.6).
    case upgrade(exchange: Int, protocolName: String)
    /// The connection carries no HTTP.
    case notHTTP
}

/// A request's header section, with its exchange and stream.
package struct PassiveRequest: Hashable, Sendable {
    /// The number of the exchange on its connection, from 1 in the order in which exchanges began.
    package var exchange: Int
    /// The HTTP/2 stream that carries it; nil over HTTP/1.
    package var stream: UInt32?
    /// Whether the server has promised it (RFC 9113, section 8.4), so that the client sent nothing.
    package var isPushed = false
    /// When its first byte passed.
    package var startedAt: Timestamp
    /// The method; empty if the header section was cut before it, or could not be decoded.
    package var method: String
    /// The target in the request line, or `:path`; for CONNECT the authority.
    package var target: String
    /// `:scheme`; empty in HTTP/1, which has none.
    package var scheme = ""
    /// The value of Host, or `:authority`.
    package var authority: String
    /// `0.9`, `1.0`, `1.1` or `2`.
    package var httpVersion: String
    /// The field lines; in HTTP/2 as `name: value` and CRLF, without pseudo-fields.
    package var fields: FieldSection
    /// Whether the header section was complete and could be read.
    package var isWhole: Bool
}

/// The final header section of a response.
package struct PassiveResponse: Hashable, Sendable {
    package var exchange: Int
    /// When the first byte of the final header section passed; interim responses came before.
    package var firstByteAt: Timestamp
    /// The status; 0 if there is none, as in HTTP/0.9, or if it could not be read.
    package var status: Int
    package var reason: String
    /// `0.9`, `1.0`, `1.1` or `2`.
    package var httpVersion: String
    package var fields: FieldSection
    /// Whether the header section was complete and could be read.
    package var isWhole: Bool
}

/// The end of an exchange, with the sizes of its messages.
package struct PassiveEnd: Hashable, Sendable {
    /// The size, digest and end of one of the two messages.
    package struct Message: Hashable, Sendable {
        /// Its bytes by part, as ``TrafficModel/WireSize`` defines them.
        package var size: WireSize
        /// The XXH3 of the content as sent; nil if there was none.
        package var bodyDigest: UInt64?
        /// The content's last four bytes as a little-endian number: in gzip, the decoded size (RFC 1952, section 2.3.1).
        package var bodyTail: UInt32
        /// When its last byte passed.
        package var lastByteAt: Timestamp
        /// Whether all of it passed.
        package var isWhole: Bool
    }

    /// The reason why nothing more comes.
    package enum Reason: Hashable, Sendable {
        /// Both messages are whole.
        case completed
        /// The connection was closed before both were whole.
        case closed
        /// The stream was reset with that code (RFC 9113, section 7).
        case reset(code: UInt32)
        /// The server has announced that it does not process this stream (GOAWAY; RFC 9113, section 6.8).
        case refused
    }

    package var exchange: Int
    package var request: Message
    /// The response; nil if no byte of one came.
    package var response: Message?
    package var endedAt: Timestamp
    package var reason: Reason
}
