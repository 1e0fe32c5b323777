import TrafficModel

/// When what happened, by an entry's begin, whole time and phases.
struct HARTimes {
    /// When the first byte of the request was sent.
    let sentAt: Timestamp
    let firstByteAt: Timestamp
    let endedAt: Timestamp
    let timings: ExchangeTimings

    init(_ entry: HAREntry) {
        func phase(_ name: String) -> Int64? { entry.timings[name].map(Self.nanoseconds) }
        let beganAt = entry.startedAt ?? Timestamp(nanoseconds: 0)
        // `connect` has the TLS handshake in it.
        let tls = phase("ssl")
        let connect = phase("connect").map { max(0, $0 - (tls ?? 0)) }
        let before = [phase("blocked"), phase("dns"), connect, tls].reduce(0) { $0 + ($1 ?? 0) }
        let isSent = phase("send") != nil || entry.status > 0
        sentAt = Self.moment(beganAt, before)
        firstByteAt = Self.moment(sentAt, (phase("send") ?? 0) + (phase("wait") ?? 0))
        let rest = [phase("send"), phase("wait"), phase("receive")].reduce(0) { $0 + ($1 ?? 0) }
        let total = entry.time.flatMap { $0 >= 0 ? Self.nanoseconds($0) : nil } ?? (before + rest)
        endedAt = Self.moment(beganAt, total)
        timings = ExchangeTimings(
            queue: phase("blocked"), dns: phase("dns"), connect: connect, tls: tls,
            send: isSent ? phase("send") : nil, wait: entry.status > 0 ? phase("wait") : nil,
            receive: entry.status > 0 ? phase("receive") : nil, total: total)
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
