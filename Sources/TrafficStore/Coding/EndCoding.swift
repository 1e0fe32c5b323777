internal import TrafficModel

/// The part of an end that no query looks at, as a blob; and its outcome as a number.
enum EndCoding {
    // Bits 0 to 6 of the first number tell which timings are there.
    private static let microseconds: UInt64 = 1 << 7
    private static let hasConnection: UInt64 = 1 << 8
    private static let isReused: UInt64 = 1 << 9
    // The end is not as far from the begin as the column says.
    private static let hasDistance: UInt64 = 1 << 10
    // Of earlier versions: the column has the distance of two moments, because no total was told.
    private static let noTotal: UInt64 = 1 << 11
    private static let hasFailure: UInt64 = 1 << 12
    private static let hasShare: UInt64 = 1 << 13
    // The column `started` is when the attempt began. Earlier versions wrote when the request was sent.
    private static let startsAtBegin: UInt64 = 1 << 14
    // The request was sent, when the phases before that were over.
    private static let wasSent: UInt64 = 1 << 15
    // The request was sent, and when is told.
    private static let hasSent: UInt64 = 1 << 16

    /// What of an end are rows of other tables.
    struct References {
        var address: Int64 = 0
        var connection: Int64?
        var failure: Int64?
    }

    /// An end as it is read back.
    struct Details {
        var references = References()
        var startedAt: Timestamp
        var sentAt: Timestamp?
        var endedAt: Timestamp
        var timings: ExchangeTimings
        var reusedConnection: Bool
        var share: ConnectionShare?
    }

    /// Appends what stands beside the columns `outcome` and `total`.
    ///
    /// Timings that are all whole microseconds, as libcurl measures them, are written so.
    ///
    /// - Parameters:
    ///   - end: the end.
    ///   - startedAt: when the exchange began.
    ///   - sentAt: when its request was sent; nil where it was not, or the request's own blob has it.
    ///   - references: what are rows of other tables.
    ///   - sink: takes it.
    static func append(
        _ end: ExchangeEnd, startedAt: Timestamp, sentAt: Timestamp? = nil, references: References, to sink: ByteSink
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
        let isTold = sent.map { $0 != timings.untilSent } ?? false
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

    // Where there is neither TLS nor HTTP/2, and no overhead, the lowest bit says so.
    private static func appendShare(_ share: ConnectionShare, to sink: ByteSink) {
        let hasOverhead = share.overhead != .zero
        sink.appendVarint(UInt64(share.packetHeaders.up.bytes) << 1 | (hasOverhead ? 1 : 0))
        sink.appendVarint(UInt64(share.packetHeaders.down.bytes))
        guard hasOverhead else { return }
        sink.appendVarint(UInt64(share.overhead.up.bytes))
        sink.appendVarint(UInt64(share.overhead.down.bytes))
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

    /// Reads the blob back, with what is in the columns `started` and `total`.
    static func read(_ blob: UnsafeRawBufferPointer, startedAt: Timestamp, total: Int64?) -> Details {
        var reader = ByteReader(blob)
        let mask = reader.varint()
        var references = References()
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

    /// The outcome as a number; 0 for the usual one, which takes no room.
    static func number(of outcome: ExchangeEnd.Outcome) -> Int64 {
        if outcome.failure != nil { return 1 }
        return numbers.first { $0.outcome == outcome }?.number ?? 4
    }

    // Those without a reason. Numbers are a promise of the file.
    private static let numbers: [(outcome: ExchangeEnd.Outcome, number: Int64)] = [
        (.completed, 0), (.cancelled, 2), (.timedOut, 3), (.abandoned, 4), (.incomplete, 5),
    ]

    /// The numbers of the outcomes that are failures, whatever the status is, for SQL.
    static let numbersOfFailures = ([1] + numbers.filter(\.outcome.isFailure).map(\.number)).map { String($0) }
        .joined(separator: ", ")

    /// The outcome of such a number.
    static func outcome(_ number: Int64, failure: ExchangeFailure?) -> ExchangeEnd.Outcome {
        if number == 1 { return .failed(failure ?? ExchangeFailure(ExchangeFailure.Domain(""), code: 0)) }
        return numbers.first { $0.number == number }?.outcome ?? .abandoned
    }
}

extension EndCoding.Details {
    // Earlier versions filed an exchange under the moment at which its request was sent, had no time in the queue, and took
    // libcurl's total as it was. It began by its total before its end, and took no less than from the request to the end.
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
    /// The phases that come before the request is sent.
    fileprivate var untilSent: Int64 { (queue ?? 0) &+ (dns ?? 0) &+ (connect ?? 0) &+ (tls ?? 0) }
}
