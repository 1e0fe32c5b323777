internal import TrafficModel

/// The part of a request's or response's row that no query reads, encoded as one blob.
///
/// The first byte says which of the six parts are not 0 (bits 0 to 5), whether any evidence is other than captured (bit
/// 6), and whether there is more than usual (bit 7). The bits of evidence are followed by one that says whether there
/// is a margin. The field lines of ``FieldEncoder`` fill the rest.
struct MessageCoding {
    private static let hasEvidence: UInt8 = 1 << 6
    private static let hasMore: UInt8 = 1 << 7
    private static let hasHop: UInt8 = 1
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
    private(set) var hop = 0
    /// The row of the task's first exchange; nil if the exchange is the first itself; only of a request.
    private(set) var task: Int64?
    /// The body's digest.
    private(set) var digest: UInt64?
    /// From the start of a request to its first byte; nil if none was sent, or if ``EndCoding`` has it.
    private(set) var sentAfter: Int64?

    /// Appends the part of a request's blob that precedes the lines.
    ///
    /// - Parameters:
    ///   - record: the request.
    ///   - task: the row of the task's first exchange, if that is another.
    ///   - hasEnd: whether the same row has an end, which then has the time at which the request was sent.
    ///   - sink: the buffer that the blob is appended to.
    static func append(_ record: borrowing RequestRecord, task: Int64?, hasEnd: Bool, to sink: ByteSink) {
        let place = sink.count
        sink.append(0)
        let more =
            (record.hop == 0 ? 0 : hasHop) | (record.bodyDigest == nil ? 0 : hasDigest) | (task == nil ? 0 : hasTask)
            | (hasEnd || record.sentAt == nil ? 0 : hasSent)
        if more != 0 {
            sink.append(more)
            if record.hop != 0 { sink.appendSigned(Int64(record.hop)) }
            if let digest = record.bodyDigest { sink.appendWord(digest) }
            if let task { sink.appendVarint(UInt64(bitPattern: task)) }
            if !hasEnd, let sentAt = record.sentAt {
                sink.appendSigned(sentAt.nanoseconds &- record.startedAt.nanoseconds)
            }
        }
        let mask = append(record.size, evidence: record.size.packedEvidence, beside: 0, to: sink)
        sink.replace(at: place, with: mask | (more == 0 ? 0 : hasMore))
    }

    /// Appends the part of a response's blob that precedes the lines.
    static func append(_ record: borrowing ResponseRecord, to sink: ByteSink) {
        let place = sink.count
        sink.append(0)
        if let digest = record.bodyDigest { sink.appendWord(digest) }
        let decoded = record.decodedBody
        let evidence = record.size.packedEvidence << 2 | UInt64(3 - decoded.evidence.rawValue)
        let mask = append(record.size, evidence: evidence, beside: 2, to: sink)
        // The decoded size is most often the body's own: then the difference takes one byte.
        if decoded.evidence != .unknown {
            sink.appendSigned(decoded.bytes.bytes &- record.size.body.bytes.bytes)
        }
        sink.replace(at: place, with: mask | (record.bodyDigest == nil ? 0 : hasMore))
    }

    /// Reads the part of a request's blob that precedes the lines; then the reader is at the lines.
    init(request reader: inout ByteReader) {
        let mask = reader.byte()
        if mask & Self.hasMore != 0 {
            let more = reader.byte()
            if more & Self.hasHop != 0 { hop = Int(Plausible.count(reader.signed())) }
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

    // Appends the parts that are not 0, and the evidence; returns the first byte of the blob.
    @inline(__always)
    private static func append(
        _ size: WireSize, evidence: UInt64, beside: UInt64, to sink: ByteSink
    ) -> UInt8 {
        var mask: UInt8 = 0
        func append(_ part: WireSize.Part, _ bit: UInt8) {
            guard part.bytes.bytes != 0 else { return }
            mask |= bit
            sink.appendVarint(UInt64(part.bytes.bytes))
        }
        append(size.startLine, 1)
        append(size.fields, 2)
        append(size.cookies, 4)
        append(size.interim, 8)
        append(size.body, 16)
        append(size.framing, 32)
        let evidence = evidence | (size.margin == nil ? 0 : hasMargin << beside)
        if evidence != 0 {
            mask |= hasEvidence
            sink.appendVarint(evidence)
            if let margin = size.margin { sink.appendVarint(UInt64(margin.bytes)) }
        }
        return mask
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

extension WireSize {
    /// Two bits of evidence for each part, from the lowest: start line, fields, cookies, interim, body, framing.
    ///
    /// The bits are inverted, so that a fully captured message yields 0.
    fileprivate var packedEvidence: UInt64 {
        var packed = UInt64(3 - startLine.evidence.rawValue)
        packed |= UInt64(3 - fields.evidence.rawValue) << 2
        packed |= UInt64(3 - cookies.evidence.rawValue) << 4
        packed |= UInt64(3 - interim.evidence.rawValue) << 6
        packed |= UInt64(3 - body.evidence.rawValue) << 8
        packed |= UInt64(3 - framing.evidence.rawValue) << 10
        return packed
    }
}

extension Evidence {
    fileprivate init(packed: UInt64) { self = Evidence(rawValue: UInt8(3 - packed & 3)) ?? .unknown }
}
