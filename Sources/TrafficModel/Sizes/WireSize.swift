/// The size of one message, a request or a response, on the wire, part by part.
///
/// The parts are those of RFC 9112, section 2.1: `startLine`, `fields` and `body`. Two more are parts that earlier
/// monitors left out: `interim` responses (RFC 9110, section 15.2) and the `framing` around a chunked body (RFC 9112,
/// section 7.1).
public struct WireSize: Hashable, Sendable {
    /// The size of one part, and how it is known.
    public struct Part: Hashable, Sendable {
        /// The bytes; 0 if the evidence is unknown.
        public var bytes: ByteCount
        /// How the bytes are known.
        public var evidence: Evidence

        /// A part of that size.
        public init(_ bytes: ByteCount, _ evidence: Evidence) {
            self.bytes = evidence == .unknown ? .zero : bytes
            self.evidence = evidence
        }

        /// The bytes if they were captured, else 0.
        fileprivate var captured: ByteCount { evidence == .captured ? bytes : .zero }

        /// A part whose size is not known.
        public static let unknown = Part(.zero, .unknown)

        /// A part whose bytes passed through the meter.
        public static func captured(_ bytes: some BinaryInteger) -> Part { Part(ByteCount(bytes), .captured) }
    }

    /// The request line or status line with its CRLF.
    public var startLine: Part
    /// The whole header section with its final CRLF.
    public var fields: Part
    /// The lines of Cookie or Set-Cookie among the fields, each with its CRLF; not a summand of the total.
    public var cookies: Part
    /// The 1xx responses before the final one, each with all its bytes.
    public var interim: Part
    /// The content as sent: after content coding, before framing.
    public var body: Part
    /// The bytes around the content.
    ///
    /// Chunk-size lines with extensions, the CRLF after each chunk, the last chunk, trailers; HTTP/2 frame headers;
    /// bytes that follow the end of the message and belong to no other.
    public var framing: Part
    /// By how many bytes a reconstructed total may be off, in either direction, if the other end writes as the RFCs
    /// advise.
    ///
    /// Nil if nothing bounds the error, or if nothing was reconstructed.
    public var margin: ByteCount?

    /// A size with those six parts.
    public init(
        startLine: Part = .captured(0), fields: Part = .captured(0), cookies: Part = .captured(0),
        interim: Part = .captured(0), body: Part = .captured(0), framing: Part = .captured(0),
        margin: ByteCount? = nil
    ) {
        self.startLine = startLine
        self.fields = fields
        self.cookies = cookies
        self.interim = interim
        self.body = body
        self.framing = framing
        self.margin = margin
    }

    /// The size of a message of which certainly no byte was sent.
    public static let nothing = WireSize()

    /// A size of which no part is known.
    public static let unknown = WireSize(
        startLine: .unknown, fields: .unknown, cookies: .unknown, interim: .unknown, body: .unknown, framing: .unknown)

    /// The parts that add up to the message; `cookies` is inside `fields` and not one of them.
    package var summands: [Part] { [startLine, fields, interim, body, framing] }

    /// The sum of the known parts; see ``total`` for a sum that is nil if a part is missing.
    public var known: ByteCount { startLine.bytes + fields.bytes + interim.bytes + body.bytes + framing.bytes }

    /// All bytes of the message, or nil if a part is unknown.
    public var total: ByteCount? { evidence == .unknown ? nil : known }

    /// The weakest evidence among the parts.
    public var evidence: Evidence {
        min(
            min(startLine.evidence, fields.evidence), min(interim.evidence, min(body.evidence, framing.evidence)))
    }

    /// The bytes of the parts that were captured.
    public var captured: ByteCount {
        startLine.captured + fields.captured + interim.captured + body.captured + framing.captured
    }
}
