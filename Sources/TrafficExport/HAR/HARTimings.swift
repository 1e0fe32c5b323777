import TextFormats
import TrafficModel

/// The phases in HAR's form.
///
/// A phase that did not happen is -1, except `send`, `wait` and `receive`, which must have a value. The TLS handshake
/// is in `ssl`, and counts in `connect`, too.
///
/// The phases must add up to the whole time. Time that belongs to no phase is added to `blocked`, or to `wait` if no
/// response came; `_unattributed` says how much that is.
struct HARTimings {
    private var blocked: Int64?
    private let dns: Int64?
    private let connect: Int64?
    private let tls: Int64?
    private let send: Int64
    private var wait: Int64
    private let receive: Int64
    private let rest: Int64

    init(_ exchange: StoredExchange) {
        var timings = exchange.end?.timings ?? ExchangeTimings()
        timings.total = exchange.duration
        // Rounded to whole microseconds, as they are written, so that the written phases add up to the written time.
        timings = timings.inMicroseconds
        func phase(_ duration: Int64?) -> Int64? { duration.map { max(0, min($0, Int64.max / 16)) } }
        blocked = phase(timings.queue)
        dns = phase(timings.dns)
        tls = phase(timings.tls)
        connect = timings.connect == nil && tls == nil ? nil : (phase(timings.connect) ?? 0) + (tls ?? 0)
        send = phase(timings.send) ?? 0
        wait = phase(timings.wait) ?? 0
        receive = phase(timings.receive) ?? 0
        rest = phase(timings.unattributed) ?? 0
        guard rest > 0 else { return }
        if exchange.response == nil { wait += rest } else { blocked = (blocked ?? 0) + rest }
    }

    /// The sum of the phases, in nanoseconds; `ssl` is in `connect` and counts once.
    var sum: Int64 { (blocked ?? 0) + (dns ?? 0) + (connect ?? 0) + send + wait + receive }

    var json: JSONValue {
        func optional(_ duration: Int64?) -> JSONValue { duration.map { .milliseconds($0) } ?? .integer(-1) }
        var members: [JSONValue.Member] = [
            .init("blocked", optional(blocked)), .init("dns", optional(dns)), .init("connect", optional(connect)),
            .init("ssl", optional(tls)), .init("send", .milliseconds(send)), .init("wait", .milliseconds(wait)),
            .init("receive", .milliseconds(receive)),
        ]
        if rest > 0 { members.append(.init("_unattributed", .milliseconds(rest))) }
        return .object(members)
    }
}
