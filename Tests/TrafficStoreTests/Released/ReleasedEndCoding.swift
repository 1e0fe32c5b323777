import TrafficModel

@testable import TrafficStore

/// The blob of an end as 0.1.0 wrote it.
enum ReleasedEndCoding {
    // Bits 0 to 6 of the first number say which timings follow.
    private static let microseconds: UInt64 = 1 << 7
    private static let hasConnection: UInt64 = 1 << 8
    private static let isReused: UInt64 = 1 << 9
    private static let hasDistance: UInt64 = 1 << 10
    private static let hasFailure: UInt64 = 1 << 12
    private static let hasShare: UInt64 = 1 << 13
    private static let startsAtBegin: UInt64 = 1 << 14
    private static let wasSent: UInt64 = 1 << 15
    private static let hasSent: UInt64 = 1 << 16

    /// Appends all that is not in the columns `outcome` and `total`.
    ///
    /// Timings that are all whole microseconds, as libcurl measures them, are written in microseconds.
    ///
    /// - Parameters:
    ///   - end: the end.
    ///   - startedAt: when the exchange began.
    ///   - sentAt: when its request was sent; nil if it was not, or if the request's own blob has the time.
    ///   - references: the rows of other tables.
    ///   - sink: the buffer that the blob is appended to.
    static func append(
        _ end: ExchangeEnd, startedAt: Timestamp, sentAt: Timestamp? = nil, references: EndReferences, to sink: ByteSink
    ) {
        let timings = end.timings
        var mask: UInt64 = microseconds | startsAtBegin
        func look(_ part: Int64?, _ bit: UInt64) {
            guard let part else { return }
            mask |= bit
            if part % 1_000 != 0 { mask &= ~microseconds }
        }
        look(timings.queue, 1)
        look(timings.dns, 2)
        look(timings.connect, 4)
        look(timings.tls, 8)
        look(timings.send, 16)
        look(timings.wait, 32)
        look(timings.receive, 64)
        let unit: Int64 = mask & microseconds != 0 ? 1_000 : 1
        if end.reusedConnection { mask |= isReused }
        if references.connection != nil { mask |= hasConnection }
        if references.failure != nil { mask |= hasFailure }
        if end.share != nil { mask |= hasShare }
        let distance =
            end.endedAt.nanoseconds &- startedAt.nanoseconds &- (end.duration(since: startedAt) ?? 0)
        if distance != 0 { mask |= hasDistance }
        let sent = sentAt.map { $0.nanoseconds &- startedAt.nanoseconds }
        let isTold =
            sent.map {
                $0 != ((timings.queue ?? 0) &+ (timings.dns ?? 0) &+ (timings.connect ?? 0) &+ (timings.tls ?? 0))
            } ?? false
        if sent != nil { mask |= isTold ? hasSent : wasSent }
        sink.appendVarint(mask)
        sink.appendVarint(UInt64(bitPattern: references.address))
        if let connection = references.connection { sink.appendVarint(UInt64(bitPattern: connection)) }
        if let failure = references.failure { sink.appendVarint(UInt64(bitPattern: failure)) }
        if distance != 0 { sink.appendSigned(distance) }
        func append(_ part: Int64?) {
            if let part { sink.appendSigned(unit == 1 ? part : part / 1_000) }
        }
        append(timings.queue)
        append(timings.dns)
        append(timings.connect)
        append(timings.tls)
        append(timings.send)
        append(timings.wait)
        append(timings.receive)
        if let share = end.share { appendShare(share, to: sink) }
        if isTold, let sent { sink.appendSigned(sent) }
    }

    // The lowest bit says whether there is overhead; a connection without TLS and HTTP/2 has none.
    private static func appendShare(_ share: ConnectionShare, to sink: ByteSink) {
        let hasOverhead = share.overhead != .zero
        sink.appendVarint(UInt64(share.packetHeaders.up.bytes) << 1 | (hasOverhead ? 1 : 0))
        sink.appendVarint(UInt64(share.packetHeaders.down.bytes))
        guard hasOverhead else { return }
        sink.appendVarint(UInt64(share.overhead.up.bytes))
        sink.appendVarint(UInt64(share.overhead.down.bytes))
    }
}
