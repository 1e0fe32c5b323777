/// A sink that also takes all records of an exchange at once, so that it need not find out that they belong together.
package protocol ExchangeSink: TrafficSink {
    /// Takes the request, the response if there is one, and the end: the same as their events in that order.
    ///
    /// The sink may replace secrets in it, in place, and changes nothing else: so a caller may pass it on to another.
    func record(_ exchange: inout Exchange)
}

/// A sink, and whether it takes exchanges at once: found out only once, because a cast costs as much as an event.
package struct ExchangeOutput: Sendable {
    package let sink: any TrafficSink
    private let exchanges: (any ExchangeSink)?

    /// The output into that sink.
    package init(_ sink: any TrafficSink) {
        self.sink = sink
        exchanges = sink as? any ExchangeSink
    }

    /// Records all of an exchange: at once if the sink can take it, else event by event.
    package func record(_ exchange: inout Exchange) {
        guard let exchanges else { return exchange.forEachEvent(sink.record) }
        exchanges.record(&exchange)
    }
}

extension Exchange {
    /// Visits the events of its records, in the order in which an observer reports them.
    package func forEachEvent(_ visit: (TrafficEvent) -> Void) {
        visit(.request(request))
        if let response { visit(.response(response)) }
        if let end { visit(.end(end)) }
    }
}
