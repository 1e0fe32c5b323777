package import TrafficModel
package import TrafficPipeline
package import TrafficStore
package import URLTemplates

/// Stores the events of observers: a pipeline, the writer after it, and other sinks for the same events.
///
/// Events pass on the thread that records them, and never wait for the disk. ``flush()`` does.
package final class Recorder: Sendable {
    /// The settings of a recorder.
    package struct Settings: Sendable {
        /// The path of the store, which is made if there is none.
        package var store: String
        /// What the pipeline does with events.
        package var rules = TrafficPipeline.Rules()
        /// How many templates a host may have in the store.
        package var templates = TemplateLimits()
        /// What is metered.
        package var resource = TrafficResource()
        /// When events are written, and how long their rows are kept.
        package var writing = BatchWriter.Options()
        /// Takes the events that go to the store, too.
        package var copy: (any TrafficSink)?
        /// Shows the same events to current watchers.
        package var feed: LiveFeed?

        /// The settings of a recorder that stores everything.
        package init(store: String) { self.store = store }
    }

    let pipeline: TrafficPipeline
    let writer: BatchWriter
    private let feed: LiveFeed?

    /// Opens the store, and starts the writer's thread.
    ///
    /// - Throws: ``StoreError``; nothing was written in that case.
    package init(_ settings: Settings) throws {
        let writer = BatchWriter(
            store: try StoreWriter.open(
                settings.store, templates: settings.templates, resource: settings.resource),
            options: settings.writing)
        self.writer = writer
        let downstream: any TrafficSink = settings.copy.map { BothSinks(writer, $0) } ?? writer
        pipeline = TrafficPipeline(settings.rules, to: downstream, live: settings.feed)
        feed = settings.feed
    }

    /// The sink for observers.
    package var input: any TrafficSink { pipeline }

    /// Whether an exchange that begins with this request is recorded.
    package func keeps(_ request: RequestRecord) -> Bool { pipeline.keeps(request) }

    /// Waits until all events recorded before the call are in the file.
    ///
    /// - Throws: the ``StoreError`` that kept them from being written; the writer keeps trying.
    package func flush() throws { try writer.flush() }

    /// Writes the remaining events, ends open exchanges as abandoned, and closes the store and the feed.
    ///
    /// - Throws: the ``StoreError`` because of which something was not written.
    package func finish() throws {
        defer { feed?.finish() }
        try writer.finish()
    }

    /// Writes events sooner from now on, for a program that watches the store.
    package func lowerLatency() { writer.lowerInterval(to: 0.02) }

    /// Why the last write failed; nil if it succeeded.
    package var lastError: StoreError? { writer.lastError }

    /// The number of events that were lost, because there was no room or the store could not be written.
    package var dropped: Int64 { writer.counters.dropped }

    /// The same events by reason.
    package var drops: [TrafficLoss.Reason: Int64] { writer.counters.losses }
}

/// Passes each event on to two sinks.
private struct BothSinks: ExchangeSink {
    let first: ExchangeOutput
    let second: ExchangeOutput

    init(_ first: any TrafficSink, _ second: any TrafficSink) {
        self.first = ExchangeOutput(first)
        self.second = ExchangeOutput(second)
    }

    func record(_ event: TrafficEvent) {
        first.sink.record(event)
        second.sink.record(event)
    }

    func record(_ exchange: inout Exchange) {
        first.record(&exchange)
        second.record(&exchange)
    }
}
