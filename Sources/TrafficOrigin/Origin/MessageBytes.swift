package import TrafficModel

/// The part of a message that a run of bytes belongs to.
///
/// The set is closed: every byte of a message is in one of these parts, which are those of ``MessageBytes``.
public enum MessagePart: Hashable, Sendable {
    /// The request line or status line with its line end.
    case startLine
    /// A field line with its line end, or the empty line after the last one.
    case field
    /// A Cookie or Set-Cookie line with its line end; it also counts as a field.
    case cookie
    /// A complete 1xx response.
    case interim
    /// The content as sent.
    case body
    /// Chunk-size lines, the line end after each chunk, the last chunk, trailers, and bytes after the message.
    case framing
}

/// The bytes of one message on the wire, part by part, as the origin counted them.
public struct MessageBytes: Hashable, Sendable {
    /// The request line or status line with its line end.
    public var startLine = 0
    /// The header section with its final empty line.
    public var fields = 0
    /// The lines of Cookie or Set-Cookie; they are part of `fields` and not added to the total again.
    public var cookies = 0
    /// The 1xx responses before the final one.
    public var interim = 0
    /// The content as sent: after content coding, before framing.
    public var body = 0
    /// All bytes that frame a chunked body, with the trailers.
    public var framing = 0

    /// Makes the counts from those of each part.
    public init(
        startLine: Int = 0, fields: Int = 0, cookies: Int = 0, interim: Int = 0, body: Int = 0, framing: Int = 0
    ) {
        self.startLine = startLine
        self.fields = fields
        self.cookies = cookies
        self.interim = interim
        self.body = body
        self.framing = framing
    }

    /// All bytes of the message; cookies are counted once, as fields.
    public var total: Int { startLine + fields + interim + body + framing }

    /// Adds bytes to a part.
    package mutating func add(_ count: Int, to part: MessagePart) {
        switch part {
        case .startLine: startLine += count
        case .field: fields += count
        case .cookie:
            fields += count
            cookies += count
        case .interim: interim += count
        case .body: body += count
        case .framing: framing += count
        }
    }

    /// The counts as a size with the evidence `captured`.
    package var wireSize: WireSize {
        WireSize(
            startLine: .captured(startLine), fields: .captured(fields), cookies: .captured(cookies),
            interim: .captured(interim), body: .captured(body), framing: .captured(framing))
    }
}
