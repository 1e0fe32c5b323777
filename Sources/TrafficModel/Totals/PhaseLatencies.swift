/// Latencies of many exchanges, phase by phase: those of ``ExchangeTimings``.
///
/// A phase counts only the exchanges in which it happened: exchanges on a reused connection have no handshakes. Files
/// from before a phase was recorded have no counts of it.
public struct PhaseLatencies: Hashable, Sendable {
    /// The times in the client before the request was sent, without the lookup and the handshakes.
    public var queue = LatencyHistogram()
    /// Name lookups.
    public var dns = LatencyHistogram()
    /// TCP handshakes.
    public var connect = LatencyHistogram()
    /// TLS handshakes.
    public var tls = LatencyHistogram()
    /// From the first to the last byte of the request.
    public var send = LatencyHistogram()
    /// From the last byte of the request to the first of the response, or to the end if none came.
    public var wait = LatencyHistogram()
    /// From the first to the last byte of the response.
    public var receive = LatencyHistogram()
    /// The time of each total that is in no phase, if it is above 0.
    public var unattributed = LatencyHistogram()

    /// Latencies of no exchanges.
    public init() {}

    /// Records the phases of one exchange.
    public mutating func record(_ timings: ExchangeTimings) {
        if let value = timings.queue { queue.record(nanoseconds: value) }
        if let value = timings.dns { dns.record(nanoseconds: value) }
        if let value = timings.connect { connect.record(nanoseconds: value) }
        if let value = timings.tls { tls.record(nanoseconds: value) }
        if let value = timings.send { send.record(nanoseconds: value) }
        if let value = timings.wait { wait.record(nanoseconds: value) }
        if let value = timings.receive { receive.record(nanoseconds: value) }
        if let value = timings.unattributed, value > 0 { unattributed.record(nanoseconds: value) }
    }

    /// Adds the latencies of other exchanges.
    public mutating func merge(_ other: PhaseLatencies) {
        queue.merge(other.queue)
        dns.merge(other.dns)
        connect.merge(other.connect)
        tls.merge(other.tls)
        send.merge(other.send)
        wait.merge(other.wait)
        receive.merge(other.receive)
        unattributed.merge(other.unattributed)
    }

    /// The phases under the names and in the order of ``ExchangeTimings/named``.
    package var named: [(name: String, histogram: LatencyHistogram)] {
        [
            ("queue", queue), ("dns", dns), ("connect", connect), ("tls", tls), ("send", send), ("wait", wait),
            ("receive", receive), ("unattributed", unattributed),
        ]
    }
}
