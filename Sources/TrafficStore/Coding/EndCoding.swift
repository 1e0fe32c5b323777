internal import TrafficModel

/// Encodes the outcome of an end as a number, and the part of an end that no query reads as a blob.
enum EndCoding {
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

    /// The parts of an end that are rows of other tables.
    struct References {
        var address: Int64 = 0
        var connection: Int64?
        var failure: Int64?
    }

    /// An end as read from its blob and columns.
    struct Details {
        var references = References()
        var startedAt: Timestamp
        var sentAt: Timestamp?
        var endedAt: Timestamp
        var timings: ExchangeTimings
        var reusedConnection: Bool
        var share: ConnectionShare?
    }

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

    // The lowest bit says whether there is overhead; a connection without TLS and HTTP/2 has none.
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

    /// Decodes the blob; it needs the values of the columns `started` and `total`.
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

    /// The outcome as a number: 0 for the most common one, because SQLite stores 0 without bytes.
    static func number(of outcome: ExchangeEnd.Outcome) -> Int64 {
        if outcome.failure != nil { return 1 }
        return numbers.first { $0.outcome == outcome }?.number ?? 4
    }

    // All outcomes but failures. The numbers are part of the file format and never change.
    private static let numbers: [(outcome: ExchangeEnd.Outcome, number: Int64)] = [
        (.completed, 0), (.cancelled, 2), (.timedOut, 3), (.abandoned, 4), (.incomplete, 5),
    ]

    /// The numbers of the outcomes that are failures whatever the status is, as a list for SQL.
    static let numbersOfFailures = ([1] + numbers.filter(\.outcome.isFailure).map(\.number)).map { String($0) }
        .joined(separator: ", ")

    /// The outcome with that number; `failure` is used if the number is that of a failure.
    static func outcome(_ number: Int64, failure: ExchangeFailure?) -> ExchangeEnd.Outcome {
        if number == 1 { return .failed(failure ?? ExchangeFailure(ExchangeFailure.Domain(""), code: 0)) }
        return numbers.first { $0.number == number }?.outcome ?? .abandoned
    }
}

extension EndCoding.Details {
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
