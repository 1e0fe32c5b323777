internal import TrafficModel

/// The rows of other tables that an end refers to.
struct EndReferences {
    var address: Int64 = 0
    var connection: Int64?
    var failure: Int64?
}

extension PreparedStatement {
    /// Binds the columns of an end in whole microseconds, all but `failed`.
    @inline(__always)
    func bind(_ end: borrowing ExchangeEnd, startedAt: Timestamp, references: EndReferences) {
        let timings = end.timings
        let duration = timings.total.map { $0 / 1_000 }
        let ended = end.endedAt.microseconds &- startedAt.microseconds
        bind(.outcome, OutcomeNumber.of(end.outcome))
        bind(.duration, duration)
        // Most exchanges end when their duration is over.
        bind(.ended, ended == duration ? nil : ended)
        bind(.connection, references.connection)
        bind(.reused, end.reusedConnection ? 1 : 0)
        bind(.address, references.address)
        bind(.failure, references.failure)
        bind(.overheadUp, end.share?.overhead.up.bytes)
        bind(.overheadDown, end.share?.overhead.down.bytes)
        bind(.packetHeadersUp, end.share?.packetHeaders.up.bytes)
        bind(.packetHeadersDown, end.share?.packetHeaders.down.bytes)
        bind(.queue, timings.queue.map { $0 / 1_000 })
        bind(.dns, timings.dns.map { $0 / 1_000 })
        bind(.connect, timings.connect.map { $0 / 1_000 })
        bind(.tls, timings.tls.map { $0 / 1_000 })
        bind(.send, timings.send.map { $0 / 1_000 })
        bind(.wait, timings.wait.map { $0 / 1_000 })
        bind(.receive, timings.receive.map { $0 / 1_000 })
    }
}

extension ExchangeEnd {
    /// Moves the start, the end and each phase's end to the whole microsecond before.
    ///
    /// So the times still close: the duration goes from the rounded start to the rounded end, no phase is below 0, and
    /// the phases before the request was sent end before the rounded ``RequestRecord/sentAt``. The row and the sums of
    /// an exchange have these times.
    mutating func round(since startedAt: Timestamp) {
        let start = startedAt.microseconds
        func moment(_ offset: Int64) -> Int64 {
            let (sum, overflow) = startedAt.nanoseconds.addingReportingOverflow(offset)
            return overflow ? offset / 1_000 : TimeSlot.floor(sum, 1_000) &- start
        }
        let unattributed = timings.unattributed ?? 0
        timings.total = duration(since: startedAt)
        let rest = timings.total.map { total in
            // The start may have been rounded already.
            let took = endedAt.nanoseconds &- startedAt.nanoseconds
            return 0..<1_000 ~= took &- total ? max(0, endedAt.microseconds &- start) : moment(total)
        }
        var (offset, end): (Int64, Int64) = (0, 0)
        func round(_ phase: inout Int64?) {
            guard let duration = phase else { return }
            offset = offset.addingReportingOverflow(max(0, duration)).partialValue
            let next = max(end, moment(offset))
            phase = (next - end) &* 1_000
            end = next
        }
        let isBeforeReceive = timings.wait == nil
        round(&timings.queue)
        round(&timings.dns)
        round(&timings.connect)
        round(&timings.tls)
        round(&timings.send)
        round(&timings.wait)
        if isBeforeReceive {
            offset = offset.addingReportingOverflow(unattributed).partialValue
            end = max(end, moment(offset))
        }
        round(&timings.receive)
        timings.total = rest.map { $0 &* 1_000 }
    }
}

/// An end as read from the columns of a row.
struct EndColumns {
    /// The columns that ``init(_:first:startedAt:)`` reads.
    static let columns: [ExchangeColumn] =
        [.outcome, .duration, .ended] + ExchangeColumn.range(.connection, .failure)
        + ExchangeColumn.range(.overheadUp, .receive)

    let outcome: Int64
    let references: EndReferences
    private(set) var end: ExchangeEnd

    /// The connection's row; nil if there was none.
    var connection: StoredConnection.ID? { references.connection.map { StoredConnection.ID($0) } }

    /// The end in the columns from `first` on; nil while the exchange runs.
    ///
    /// The reason of a failure and the address of the peer are in rows of other tables.
    init?(_ row: PreparedStatement, first: Int32, startedAt: Timestamp) {
        guard let outcome = row.optionalInt(first) else { return nil }
        func duration(_ place: Int32) -> Int64? {
            row.optionalInt(first + place).map(Plausible.microseconds)
        }
        func bytes(_ place: Int32) -> ByteCount { ByteCount(row.int(first + place)) }
        let total = duration(1)
        self.outcome = outcome
        references = EndReferences(
            address: row.int(first + 5), connection: row.optionalInt(first + 3), failure: row.optionalInt(first + 6))
        end = ExchangeEnd(
            exchange: .notKept,
            endedAt: Timestamp(
                nanoseconds: Plausible.moment(startedAt.nanoseconds + (duration(2) ?? total ?? 0))),
            outcome: OutcomeNumber.outcome(outcome, failure: nil),
            timings: ExchangeTimings(
                queue: duration(11), dns: duration(12), connect: duration(13), tls: duration(14), send: duration(15),
                wait: duration(16), receive: duration(17), total: total),
            connection: references.connection == nil ? nil : .notKept, reusedConnection: row.int(first + 4) != 0,
            share: row.optionalInt(first + 7) == nil
                ? nil
                : ConnectionShare(
                    overhead: ByteFlow(up: bytes(7), down: bytes(8)),
                    packetHeaders: ByteFlow(up: bytes(9), down: bytes(10))))
    }
}
