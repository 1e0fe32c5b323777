/// Bytes of many messages in one direction, by part.
public struct PartTotals: Hashable, Sendable {
    /// Bytes of start lines.
    public var startLine = ByteCount.zero
    /// Bytes of header sections.
    public var fields = ByteCount.zero
    /// Bytes of Cookie or Set-Cookie lines, which are also among the header sections.
    public var cookies = ByteCount.zero
    /// Bytes of interim responses.
    public var interim = ByteCount.zero
    /// Bytes of bodies as sent.
    public var body = ByteCount.zero
    /// Bytes of framing.
    public var framing = ByteCount.zero
    /// The bytes of all parts (cookies count as part of the fields) that were captured.
    public var captured = ByteCount.zero
    /// How many messages have a part whose size is unknown; that part is in none of these sums.
    public var unknown: Int64 = 0

    /// Totals of no messages.
    public init() {}

    /// The bytes of all parts.
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

    /// Adds the sums of other messages.
    public mutating func merge(_ other: PartTotals) {
        startLine += other.startLine
        fields += other.fields
        cookies += other.cookies
        interim += other.interim
        body += other.body
        framing += other.framing
        captured += other.captured
        unknown = unknown.addingClamped(other.unknown)
    }
}
