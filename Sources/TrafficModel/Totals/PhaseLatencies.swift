/// Where the time of many exchanges went, phase by phase.
///
/// A phase counts only the exchanges in which it happened: a reused connection has no handshakes.
public struct PhaseLatencies: Hashable, Sendable {
    /// Name lookups.
    public var dns = LatencyHistogram()
    /// TCP handshakes.
    public var tcp = LatencyHistogram()
    /// TLS handshakes.
    public var tls = LatencyHistogram()
    /// From the last byte of the request to the first of the response, or to the end where none came.
    public var waiting = LatencyHistogram()
    /// From the first to the last byte of the response.
    public var receiving = LatencyHistogram()

    /// Nothing.
    public init() {}

    /// Records the phases of one exchange.
    public mutating func record(_ timings: ExchangeTimings) {
        if let value = timings.dns { dns.record(nanoseconds: value) }
        if let value = timings.connect { tcp.record(nanoseconds: value) }
        if let value = timings.tls { tls.record(nanoseconds: value) }
        if let value = timings.wait { waiting.record(nanoseconds: value) }
        if let value = timings.receive { receiving.record(nanoseconds: value) }
    }

    /// Adds others.
    public mutating func merge(_ other: PhaseLatencies) {
        dns.merge(other.dns)
        tcp.merge(other.tcp)
        tls.merge(other.tls)
        waiting.merge(other.waiting)
        receiving.merge(other.receiving)
    }
}
