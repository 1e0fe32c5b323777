import TrafficModel

/// When what happened, by an entry's begin, whole time and phases.
struct HARTimes {
    let startedAt: Timestamp
    /// When the first byte of the request was sent; nil where none was.
    let sentAt: Timestamp?
    let firstByteAt: Timestamp
    let endedAt: Timestamp
    let timings: ExchangeTimings

    init(_ entry: HAREntry) {
        func phase(_ name: String) -> Int64? { entry.timings[name].map(Self.nanoseconds) }
        startedAt = entry.startedAt ?? Timestamp(nanoseconds: 0)
        // `connect` has the TLS handshake in it.
        let tls = phase("ssl")
        let connect = phase("connect").map { max(0, $0 - (tls ?? 0)) }
        // This project's own archives say how much of a phase was put there for want of a better place.
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

    /// A year at most: nothing in a HAR takes longer, and sums stay numbers.
    private static func nanoseconds(_ milliseconds: Double) -> Int64 {
        Int64(min(milliseconds, 31_536_000_000) * 1e6)
    }

    private static func moment(_ moment: Timestamp, _ later: Int64) -> Timestamp {
        let (sum, overflow) = moment.nanoseconds.addingReportingOverflow(later)
        return overflow ? moment : Timestamp(nanoseconds: sum)
    }
}
