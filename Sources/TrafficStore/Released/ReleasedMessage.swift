internal import TrafficModel

/// A request's or response's blob in files of 0.1.0.
///
/// The first byte says which of the six parts are not 0 (bits 0 to 5), whether any evidence is other than captured (bit
/// 6), and whether there is more than usual (bit 7). The bits of evidence are followed by one that says whether there
/// is a margin. The field lines of ``FieldEncoder`` fill the rest.
struct ReleasedMessage {
    private static let hasEvidence: UInt8 = 1 << 6
    private static let hasMore: UInt8 = 1 << 7
    private static let hasResendCount: UInt8 = 1
    private static let hasDigest: UInt8 = 2
    private static let hasTask: UInt8 = 4
    private static let hasSent: UInt8 = 8
    // The six parts have two bits each, before this one.
    private static let hasMargin: UInt64 = 1 << 12

    /// The size on the wire.
    private(set) var size = WireSize()
    /// The size after content decoding; only of a response.
    private(set) var decodedBody = WireSize.Part.unknown
    /// The number of the attempt in its task, from 0; only of a request.
    private(set) var resendCount = 0
    /// The row of the task's first exchange; nil if the exchange is the first itself; only of a request.
    private(set) var task: Int64?
    /// The body's digest.
    private(set) var digest: UInt64?
    /// From the start of a request to its first byte; nil if none was sent, or if ``ReleasedEnd`` has it.
    private(set) var sentAfter: Int64?

    /// Reads the part of a request's blob that precedes the lines; then the reader is at the lines.
    init(request reader: inout ByteReader) {
        let mask = reader.byte()
        if mask & Self.hasMore != 0 {
            let more = reader.byte()
            if more & Self.hasResendCount != 0 { resendCount = Int(Plausible.count(reader.signed())) }
            if more & Self.hasDigest != 0 { digest = reader.word() }
            if more & Self.hasTask != 0 { task = Int64(clamping: reader.varint()) }
            if more & Self.hasSent != 0 { sentAfter = Plausible.duration(reader.signed()) }
        }
        size = Self.size(mask, &reader, beside: 0).size
    }

    /// Reads the part of a response's blob that precedes the lines; then the reader is at the lines.
    init(response reader: inout ByteReader) {
        let mask = reader.byte()
        if mask & Self.hasMore != 0 { digest = reader.word() }
        let (size, evidence) = Self.size(mask, &reader, beside: 2)
        self.size = size
        if evidence != .unknown {
            decodedBody = WireSize.Part(ByteCount(size.body.bytes.bytes &+ reader.signed()), evidence)
        }
    }

    private static func size(
        _ mask: UInt8, _ reader: inout ByteReader, beside: UInt64
    ) -> (size: WireSize, beside: Evidence) {
        func bytes(_ bit: UInt8) -> ByteCount { mask & bit == 0 ? .zero : ByteCount(reader.varint()) }
        let parts = (bytes(1), bytes(2), bytes(4), bytes(8), bytes(16), bytes(32))
        let all = mask & hasEvidence == 0 ? 0 : reader.varint()
        let packed = all >> beside
        let margin = packed & hasMargin == 0 ? nil : ByteCount(reader.varint())
        let size = WireSize(
            startLine: WireSize.Part(parts.0, Evidence(packed: packed)),
            fields: WireSize.Part(parts.1, Evidence(packed: packed >> 2)),
            cookies: WireSize.Part(parts.2, Evidence(packed: packed >> 4)),
            interim: WireSize.Part(parts.3, Evidence(packed: packed >> 6)),
            body: WireSize.Part(parts.4, Evidence(packed: packed >> 8)),
            framing: WireSize.Part(parts.5, Evidence(packed: packed >> 10)), margin: margin)
        return (size, Evidence(packed: all))
    }
}

extension Evidence {
    fileprivate init(packed: UInt64) { self = Evidence(rawValue: UInt8(3 - packed & 3)) ?? .unknown }
}
