/// Bytes of many messages in one direction, by part.
public struct PartTotals: Hashable, Sendable {
    /// Start lines.
    public var startLine = ByteCount.zero
    /// Header sections.
    public var fields = ByteCount.zero
    /// Of the header sections: Cookie or Set-Cookie lines.
    public var cookies = ByteCount.zero
    /// Interim responses.
    public var interim = ByteCount.zero
    /// Bodies as sent.
    public var body = ByteCount.zero
    /// Framing.
    public var framing = ByteCount.zero
    /// Of all of these (cookies aside, which are inside the fields): bytes that were captured.
    public var captured = ByteCount.zero
    /// How many messages have a part whose size is unknown, and which no sum above has.
    public var unknown: Int64 = 0

    /// Nothing.
    public init() {}

    /// All bytes.
    public var total: ByteCount { startLine + fields + interim + body + framing }

    /// Adds one message.
    public mutating func add(_ size: WireSize) {
        startLine += size.startLine.bytes
        fields += size.fields.bytes
        cookies += size.cookies.bytes
        interim += size.interim.bytes
        body += size.body.bytes
        framing += size.framing.bytes
        captured += size.captured
        if size.evidence == .unknown { unknown += 1 }
    }

    /// Adds another sum.
    public mutating func merge(_ other: PartTotals) {
        startLine += other.startLine
        fields += other.fields
        cookies += other.cookies
        interim += other.interim
        body += other.body
        framing += other.framing
        captured += other.captured
        unknown += other.unknown
    }
}
