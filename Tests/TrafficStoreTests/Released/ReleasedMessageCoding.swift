import TrafficModel

@testable import TrafficStore

/// The start of the blob of a request or a response as 0.1.0 wrote it; the header lines follow.
enum ReleasedMessageCoding {
    private static let hasEvidence: UInt8 = 1 << 6
    private static let hasMore: UInt8 = 1 << 7
    private static let hasResendCount: UInt8 = 1
    private static let hasDigest: UInt8 = 2
    private static let hasTask: UInt8 = 4
    private static let hasSent: UInt8 = 8
    private static let hasMargin: UInt64 = 1 << 12

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
            (record.resendCount == 0 ? 0 : hasResendCount) | (record.bodyDigest == nil ? 0 : hasDigest)
            | (task == nil ? 0 : hasTask)
            | (hasEnd || record.sentAt == nil ? 0 : hasSent)
        if more != 0 {
            sink.append(more)
            if record.resendCount != 0 { sink.appendSigned(Int64(record.resendCount)) }
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

    // Appends the parts that are not 0, and the evidence; returns the first byte of the blob.
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
