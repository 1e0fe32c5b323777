/// The time of each phase of an exchange, in nanoseconds; nil if a phase did not happen or is not known.
///
/// The phases follow one another and never overlap. The time of ``total`` that is in no phase is ``unattributed``, so
/// `queue + dns + connect + tls + send + wait + receive + unattributed = total`.
public struct ExchangeTimings: Hashable, Sendable {
    /// The time in the client before the request was sent, without the lookup and the handshakes: waiting for a
    /// connection, for the program or for the library.
    public var queue: Int64?
    /// The name lookup.
    public var dns: Int64?
    /// The TCP handshake.
    public var connect: Int64?
    /// The TLS handshake.
    public var tls: Int64?
    /// From the first to the last byte of the request, or to the first byte of the response if that came earlier.
    public var send: Int64?
    /// From the last byte of the request to the first of the response, or to the end if no response came.
    public var wait: Int64?
    /// From the first to the last byte of the response.
    public var receive: Int64?
    /// From the start of the attempt to its end.
    public var total: Int64?

    /// Timings, each of which may be missing.
    public init(
        queue: Int64? = nil, dns: Int64? = nil, connect: Int64? = nil, tls: Int64? = nil, send: Int64? = nil,
        wait: Int64? = nil, receive: Int64? = nil, total: Int64? = nil
    ) {
        self.queue = queue
        self.dns = dns
        self.connect = connect
        self.tls = tls
        self.send = send
        self.wait = wait
        self.receive = receive
        self.total = total
    }

    /// The time of the total that is in no phase, because it could not be attributed; nil if the total is not known.
    public var unattributed: Int64? { total.map { max(0, $0 - min(attributed, max(0, $0))) } }

    /// The phases that are known, end to end, each with its offset; the unattributed time is one of them.
    ///
    /// Every drawing of an exchange shows these.
    public var phases: [ExchangePhase] {
        var phases: [ExchangePhase] = []
        var offset: Int64 = 0
        func add(_ name: String, _ duration: Int64) {
            phases.append(ExchangePhase(name: name, offset: offset, duration: duration))
            offset = offset.addingClamped(duration)
        }
        let rest = unattributed ?? 0
        // If only the receiving time is known, the rest comes before it.
        let isBeforeReceive = receive != nil && wait == nil
        for (name, duration) in named.dropLast() {
            if rest > 0, isBeforeReceive, name == "receive" { add("unattributed", rest) }
            if let duration { add(name, max(0, duration)) }
        }
        if rest > 0, !isBeforeReceive { add("unattributed", rest) }
        return phases
    }

    /// The phases and ``unattributed`` under their names in machine formats, in the order in which they happen.
    package var named: [(name: String, duration: Int64?)] {
        [
            ("queue", queue), ("dns", dns), ("connect", connect), ("tls", tls), ("send", send), ("wait", wait),
            ("receive", receive), ("unattributed", unattributed),
        ]
    }

    /// The sum of the phases that are known, in nanoseconds.
    package var attributed: Int64 {
        var all = max(0, queue ?? 0)
        func add(_ phase: Int64?) { all = all.addingClamped(max(0, phase ?? 0)) }
        add(dns)
        add(connect)
        add(tls)
        add(send)
        add(wait)
        add(receive)
        return all
    }

    /// Sets the total and makes the phases fit into it.
    ///
    /// Two clocks, or two figures of one clock, can yield more than the total; the excess is cut from the last phases.
    package mutating func close(over total: Int64) {
        self.total = max(0, total)
        var rest = max(0, total)
        func cut(_ phase: inout Int64?) {
            guard let duration = phase else { return }
            phase = min(max(0, duration), rest)
            rest -= phase ?? 0
        }
        cut(&queue)
        cut(&dns)
        cut(&connect)
        cut(&tls)
        cut(&send)
        cut(&wait)
        cut(&receive)
    }

    /// The timings in whole microseconds, as machine formats write them.
    ///
    /// Each phase goes from one rounded moment to the next, so that the written figures add up, too.
    package var inMicroseconds: ExchangeTimings {
        var rounded = self
        var offset: Int64 = 0
        for phase in phases {
            let end = phase.offset.addingClamped(phase.duration)
            let duration = Self.rounded(end) - Self.rounded(offset)
            offset = end
            switch phase.name {
            case "queue": rounded.queue = duration
            case "dns": rounded.dns = duration
            case "connect": rounded.connect = duration
            case "tls": rounded.tls = duration
            case "send": rounded.send = duration
            case "wait": rounded.wait = duration
            case "receive": rounded.receive = duration
            default: break
            }
        }
        rounded.total = total.map(Self.rounded)
        return rounded
    }

    private static func rounded(_ nanoseconds: Int64) -> Int64 {
        (min(max(0, nanoseconds), .max - 1_000) + 500) / 1_000 * 1_000
    }
}

/// One phase of an exchange's time, with its place in it.
public struct ExchangePhase: Hashable, Sendable {
    /// Its name in machine formats: `queue`, `dns`, `connect`, `tls`, `send`, `wait`, `receive` or `unattributed`.
    public var name: String
    /// Nanoseconds from the start of the exchange to the start of the phase.
    public var offset: Int64
    /// How long it lasted, in nanoseconds.
    public var duration: Int64

    /// A phase with that name and place.
    public init(name: String, offset: Int64, duration: Int64) {
        self.name = name
        self.offset = offset
        self.duration = duration
    }
}

extension ExchangeEnd {
    /// The duration of an exchange that began at that moment, in nanoseconds; nil if the meter did not see its end.
    ///
    /// This is the duration that every report, filter, order and percentile uses.
    package func duration(since startedAt: Timestamp) -> Int64? {
        if let total = timings.total { return max(0, total) }
        return isEndUnseen ? nil : max(0, endedAt.nanoseconds &- startedAt.nanoseconds)
    }
}

extension Exchange {
    /// The duration in nanoseconds; nil while the exchange runs, and if the meter did not see its end.
    public var duration: Int64? { end?.duration(since: request.startedAt) }
}
