package import TrafficModel

/// The part of a message that a run of bytes belongs to.
public enum MessagePart: Hashable, Sendable {
    /// The request line or status line with its line end.
    case startLine
    /// A field line with its line end, or the empty line after the last one.
    case field
    /// A Cookie or Set-Cookie line with its line end; it counts among the fields, too.
    case cookie
    /// A 1xx response, whole.
    case interim
    /// The content as sent.
    case body
    /// Chunk-size lines, the line end after each chunk, the last chunk, trailers, and what follows a message.
    case framing
}

/// How many bytes of one message went over the wire, part by part, as the origin counted them.
public struct MessageBytes: Hashable, Sendable {
    /// The request line or status line with its line end.
    public var startLine = 0
    /// The header section with its final empty line.
    public var fields = 0
    /// The lines of Cookie or Set-Cookie; they are inside `fields` and not a summand of the total.
    public var cookies = 0
    /// The 1xx responses before the final one.
    public var interim = 0
    /// The content as sent: after content coding, before framing.
    public var body = 0
    /// All that frames a chunked body, trailers included.
    public var framing = 0

    /// Counts of those parts.
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

    /// All bytes of the message.
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

    /// The same counts as a size that was captured.
    package var wireSize: WireSize {
        WireSize(
            startLine: .captured(startLine), fields: .captured(fields), cookies: .captured(cookies),
            interim: .captured(interim), body: .captured(body), framing: .captured(framing))
    }
}
