internal import TrafficModel

/// The blob of an end in files of 0.1.0 and before.
enum ReleasedEnd {
    // Bits 0 to 6 of the first number say which timings follow.
    private static let microseconds: UInt64 = 1 << 7
    private static let hasConnection: UInt64 = 1 << 8
    private static let isReused: UInt64 = 1 << 9
    // The distance from start to end differs from the column `total`.
    private static let hasDistance: UInt64 = 1 << 10
    // Written by earlier versions: no total was reported, so the column has the distance from start to end.
    private static let noTotal: UInt64 = 1 << 11
    private static let hasFailure: UInt64 = 1 << 12
    private static let hasShare: UInt64 = 1 << 13
    // The column `started` is the start of the attempt. Earlier versions wrote the time at which the request was sent.
    private static let startsAtBegin: UInt64 = 1 << 14
    // The request was sent right after the phases before it.
    private static let wasSent: UInt64 = 1 << 15
    // The request was sent, and the blob has the time.
    private static let hasSent: UInt64 = 1 << 16

    /// An end as read from its blob and columns.
    struct Details {
        var references = EndReferences()
        var startedAt: Timestamp
        var sentAt: Timestamp?
        var endedAt: Timestamp
        var timings: ExchangeTimings
        var reusedConnection: Bool
        var share: ConnectionShare?
    }

    private static func share(_ reader: inout ByteReader) -> ConnectionShare {
        let first = reader.varint()
        var share = ConnectionShare(
            packetHeaders: ByteFlow(up: ByteCount(first >> 1), down: ByteCount(reader.varint())))
        if first & 1 != 0 {
            share.overhead = ByteFlow(up: ByteCount(reader.varint()), down: ByteCount(reader.varint()))
        }
        return share
    }

    /// Decodes the blob; it needs the values of the columns `started` and `total`.
    static func read(_ blob: UnsafeRawBufferPointer, startedAt: Timestamp, total: Int64?) -> Details {
        var reader = ByteReader(blob)
        let mask = reader.varint()
        var references = EndReferences()
        references.address = Int64(clamping: reader.varint())
        if mask & hasConnection != 0 { references.connection = Int64(clamping: reader.varint()) }
        if mask & hasFailure != 0 { references.failure = Int64(clamping: reader.varint()) }
        let distance = mask & hasDistance != 0 ? Plausible.duration(reader.signed()) : 0
        let total = total.map(Plausible.duration)
        let unit: Int64 = mask & microseconds != 0 ? 1_000 : 1
        func part(_ bit: UInt64) -> Int64? { mask & bit == 0 ? nil : Plausible.duration(reader.signed() &* unit) }
        let timings = ExchangeTimings(
            queue: part(1), dns: part(2), connect: part(4), tls: part(8), send: part(16), wait: part(32),
            receive: part(64), total: mask & noTotal == 0 ? total : nil)
        var details = Details(
            references: references, startedAt: startedAt,
            endedAt: Timestamp(nanoseconds: Plausible.moment(startedAt.nanoseconds + (total ?? 0) + distance)),
            timings: timings,
            reusedConnection: mask & isReused != 0, share: mask & hasShare != 0 ? share(&reader) : nil)
        if mask & startsAtBegin == 0 {
            details.takeSentForStarted()
        } else if mask & (wasSent | hasSent) != 0 {
            let sent = mask & wasSent != 0 ? timings.untilSent : Plausible.duration(reader.signed())
            details.sentAt = Timestamp(nanoseconds: Plausible.moment(startedAt.nanoseconds + sent))
        }
        return details
    }
}

extension ReleasedEnd.Details {
    // In files of earlier versions `started` is the time at which the request was sent, there is no time in the queue,
    // and the total is libcurl's. Such an exchange began one total before its end, but no later than its request was
    // sent.
    fileprivate mutating func takeSentForStarted() {
        guard let total = timings.total else { return }
        let sent = startedAt
        startedAt = min(sent, Timestamp(nanoseconds: Plausible.moment(endedAt.nanoseconds - total)))
        timings.total = max(0, endedAt.nanoseconds - startedAt.nanoseconds)
        guard timings.send != nil || startedAt < sent else { return }
        sentAt = sent
        let before = sent.nanoseconds - startedAt.nanoseconds
        if timings.queue == nil, before >= timings.untilSent { timings.queue = before - timings.untilSent }
    }
}

extension ExchangeTimings {
    /// The total time of the phases before the request is sent.
    fileprivate var untilSent: Int64 { (queue ?? 0) &+ (dns ?? 0) &+ (connect ?? 0) &+ (tls ?? 0) }
}
