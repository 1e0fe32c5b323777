package import TrafficModel

/// Which way bytes go on a connection.
package enum Direction: Hashable, Sendable, CaseIterable {
    /// From the client to the server.
    case up
    /// From the server to the client.
    case down
}

/// What a connection has carried, in the order in which it became known.
///
/// Of one exchange there is first its request, then at most one response, then its end.
package enum ConnectionEvent: Hashable, Sendable {
    /// The header section of a request is whole, or was cut.
    case request(PassiveRequest)
    /// The final header section of a response is whole, or was cut; also HTTP/0.9's bare content has begun.
    case response(PassiveResponse)
    /// No more bytes of an exchange can come.
    case end(PassiveEnd)
    /// Another protocol follows, as an exchange has asked for: the token of Upgrade (RFC 9110, section 7.8), or an empty text
    /// for a tunnel (section 9.3.6).
    case upgrade(exchange: Int, protocolName: String)
    /// The connection carries no HTTP.
    case notHTTP
}

/// A request's header section.
package struct PassiveRequest: Hashable, Sendable {
    /// Exchanges of a connection are numbered from 1, in the order in which they began.
    package var exchange: Int
    /// The stream of HTTP/2 that carries it.
    package var stream: UInt32?
    /// Whether the server has promised it (RFC 9113, section 8.4), so that the client sent nothing.
    package var isPushed = false
    /// When its first byte passed.
    package var startedAt: Timestamp
    /// Empty where the header section was cut before it, or could not be decoded.
    package var method: String
    /// The target as it stood in the request line, or `:path`; of CONNECT the authority.
    package var target: String
    /// `:scheme`; empty in HTTP/1, which has none.
    package var scheme = ""
    /// The value of Host, or `:authority`.
    package var authority: String
    /// `0.9`, `1.0`, `1.1` or `2`.
    package var httpVersion: String
    /// The field lines; in HTTP/2 as `name: value` and CRLF, without pseudo-fields.
    package var fields: FieldSection
    /// Whether the header section came whole and could be read.
    package var isWhole: Bool
}

/// A response's final header section.
package struct PassiveResponse: Hashable, Sendable {
    package var exchange: Int
    /// When the first byte of the final header section passed; interim responses came before.
    package var firstByteAt: Timestamp
    /// 0 where there is none, as in HTTP/0.9, or where it could not be read.
    package var status: Int
    package var reason: String
    /// `0.9`, `1.0`, `1.1` or `2`.
    package var httpVersion: String
    package var fields: FieldSection
    /// Whether the header section came whole and could be read.
    package var isWhole: Bool
}

/// The end of an exchange, with what it weighed.
package struct PassiveEnd: Hashable, Sendable {
    /// What one of the two messages was.
    package struct Message: Hashable, Sendable {
        /// Its bytes by part, as ``TrafficModel/WireSize`` defines them.
        package var size: WireSize
        /// XXH3 of the content as sent; nil where there was none.
        package var bodyDigest: UInt64?
        /// The content's last four bytes as a little-endian number: in gzip, the decoded size (RFC 1952, section 2.3.1).
        package var bodyTail: UInt32
        /// When its last byte passed.
        package var lastByteAt: Timestamp
        /// Whether it came to its end.
        package var isWhole: Bool
    }

    /// Why nothing more comes.
    package enum Reason: Hashable, Sendable {
        /// Both messages are whole.
        case completed
        /// The connection was closed before.
        case closed
        /// The stream was reset, with that code (RFC 9113, section 7).
        case reset(code: UInt32)
        /// The server has said that it does not look at this stream (GOAWAY; RFC 9113, section 6.8).
        case refused
    }

    package var exchange: Int
    package var request: Message
    /// Nil where no byte of one came.
    package var response: Message?
    package var endedAt: Timestamp
    package var reason: Reason
}
