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
    public var tcp = LatencyHistogram()
    /// TLS handshakes.
    public var tls = LatencyHistogram()
    /// From the first to the last byte of the request.
    public var send = LatencyHistogram()
    /// From the last byte of the request to the first of the response, or to the end if none came.
    public var waiting = LatencyHistogram()
    /// From the first to the last byte of the response.
    public var receiving = LatencyHistogram()
    /// The time of each total that is in no phase, if it is above 0.
    public var unattributed = LatencyHistogram()

    /// Latencies of no exchanges.
    public init() {}

    /// Records the phases of one exchange.
    public mutating func record(_ timings: ExchangeTimings) {
        if let value = timings.queue { queue.record(nanoseconds: value) }
        if let value = timings.dns { dns.record(nanoseconds: value) }
        if let value = timings.connect { tcp.record(nanoseconds: value) }
        if let value = timings.tls { tls.record(nanoseconds: value) }
        if let value = timings.send { send.record(nanoseconds: value) }
        if let value = timings.wait { waiting.record(nanoseconds: value) }
        if let value = timings.receive { receiving.record(nanoseconds: value) }
        if let value = timings.unattributed, value > 0 { unattributed.record(nanoseconds: value) }
    }

    /// Adds the latencies of other exchanges.
    public mutating func merge(_ other: PhaseLatencies) {
        queue.merge(other.queue)
        dns.merge(other.dns)
        tcp.merge(other.tcp)
        tls.merge(other.tls)
        send.merge(other.send)
        waiting.merge(other.waiting)
        receiving.merge(other.receiving)
        unattributed.merge(other.unattributed)
    }

    /// The phases in the order of ``ExchangeTimings/named``, under their names in the machine formats of reports.
    ///
    /// Four of these names differ from those of an exchange, because reports had them first.
    package var named: [(name: String, histogram: LatencyHistogram)] {
        [
            ("queue", queue), ("dns", dns), ("tcp", tcp), ("tls", tls), ("send", send), ("waiting", waiting),
            ("receiving", receiving), ("unattributed", unattributed),
        ]
    }
}
