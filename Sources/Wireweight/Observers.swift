internal import CurlObserver
internal import Observing
internal import TrafficModel
internal import URLSessionObserver

/// The observers of one monitor.
///
/// They share one source of exchange numbers, and agree on which of them reports a task.
final class Observers: Sendable {
    /// The observers that run, that of the highest rank first.
    ///
    /// They stop in the opposite order: while an observer runs, it reports the tasks that those of lower rank leave to
    /// it.
    private let running: [any TrafficObserver]

    /// Checks, before anything is changed, that a configuration would meter something on this platform.
    static func check(_ configuration: TrafficMonitor.Configuration) throws(MonitorError) {
        guard !configuration.observers.isEmpty else { throw .nobodyObserves }
        guard !MetricsObserver.isAvailable else { return }
        guard configuration.observers != [.taskMetrics] else { throw .noMetrics }
        guard !configuration.sessions.includesEverySession else {
            throw MonitorError(URLProtocolObserver.Refusal.noHooks)
        }
    }

    /// Starts the observers that a configuration names.
    ///
    /// - Throws: ``MonitorError``; no observer runs in that case.
    init(_ configuration: TrafficMonitor.Configuration, sink: any TrafficSink) throws(MonitorError) {
        let output = ObserverOutput(sink: sink)
        let ownership = ExchangeOwnership()
        var running: [any TrafficObserver] = []
        do {
            let hasStreams = configuration.observers.contains(.streams)
            if hasStreams || configuration.observers.contains(.libcurl) {
                running.append(
                    try CurlObserver(
                        output: output, ownership: ownership, keepBody: configuration.bodies.limit,
                        digests: configuration.digestsBodies, streams: hasStreams))
            }
            if configuration.observers.contains(.taskMetrics) {
                let metrics = MetricsObserver(output: output, ownership: ownership)
                if configuration.sessions.includesEverySession { metrics.observeAllTasks() }
                running.append(metrics)
            }
            if configuration.observers.contains(.urlProtocol) {
                running.append(
                    try URLProtocolObserver.start(
                        output: output, ownership: ownership,
                        settings: .init(
                            headers: configuration.sessions.headers,
                            observesAllSessions: configuration.sessions.includesEverySession,
                            keepsOtherClasses: configuration.sessions.keepsOtherProtocolClasses)))
            }
        } catch {
            for observer in running.reversed() { observer.stop() }
            throw MonitorError(refusal: error)
        }
        self.running = running
    }

    /// The running observer of that type; nil if the configuration does not name it.
    func observer<Observer: TrafficObserver>(_: Observer.Type) -> Observer? {
        running.lazy.compactMap { $0 as? Observer }.first
    }

    /// Waits until the sink has received all exchanges that ended before the call.
    func flush() async {
        for observer in running.reversed() { await observer.flush() }
    }

    /// Reports sooner from now on, because somebody watches.
    func lowerLatency() {
        for observer in running { observer.lowerLatency() }
    }

    /// Stops all observers; the sink receives nothing after that.
    func stop() {
        for observer in running.reversed() { observer.stop() }
    }
}
