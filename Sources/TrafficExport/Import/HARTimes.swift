import TrafficModel

/// The moments of an exchange, computed from an entry's start, total time and phases.
struct HARTimes {
    let startedAt: Timestamp
    /// When the first byte of the request was sent; nil if none was.
    let sentAt: Timestamp?
    let firstByteAt: Timestamp
    let endedAt: Timestamp
    let timings: ExchangeTimings

    init(_ entry: HAREntry) {
        func phase(_ name: String) -> Int64? { entry.timings[name].map(Self.nanoseconds) }
        startedAt = entry.startedAt ?? Timestamp(nanoseconds: 0)
        // `connect` includes the TLS handshake.
        let tls = phase("ssl")
        let connect = phase("connect").map { max(0, $0 - (tls ?? 0)) }
        // Our own archives say how much time was added to a phase only because it belonged to none.
        let rest = phase("_unattributed") ?? 0
        let isAnswered = entry.status > 0
        let queue = phase("blocked").map { isAnswered ? max(0, $0 - rest) : $0 }
        let wait = phase("wait").map { isAnswered ? $0 : max(0, $0 - rest) }
        let isSent = phase("send") != nil || isAnswered
        let before = [queue, phase("dns"), connect, tls].reduce(0) { $0 + ($1 ?? 0) }
        let behind = [phase("send"), wait, phase("receive")].reduce(0) { $0 + ($1 ?? 0) }
        let time = entry.time.flatMap { $0 >= 0 ? Self.nanoseconds($0) : nil } ?? 0
        var timings = ExchangeTimings(
            queue: queue, dns: phase("dns"), connect: connect, tls: tls, send: isSent ? phase("send") : nil,
            wait: isAnswered || wait ?? 0 > 0 ? wait : nil, receive: isAnswered ? phase("receive") : nil)
        timings.close(over: max(time, before + behind))
        sentAt = isSent ? Self.moment(startedAt, before) : nil
        firstByteAt = Self.moment(startedAt, before + (phase("send") ?? 0) + (wait ?? 0))
        endedAt = Self.moment(startedAt, timings.total ?? 0)
        self.timings = timings
    }

    /// At most one year: nothing in a HAR takes longer, and sums cannot overflow.
    private static func nanoseconds(_ milliseconds: Double) -> Int64 {
        Int64(min(milliseconds, 31_536_000_000) * 1e6)
    }

    private static func moment(_ moment: Timestamp, _ later: Int64) -> Timestamp {
        let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(later)
        return overflow ? moment : Timestamp(nanoseconds: sum)
    }
}
