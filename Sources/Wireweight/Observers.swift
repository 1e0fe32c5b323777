internal import CurlObserver
internal import TrafficModel
internal import URLSessionObserver

/// The observers of one monitor.
///
/// They share one source of exchange numbers, and agree on which of them reports a task.
final class Observers: Sendable {
    let tap: CurlObserver?
    let interception: URLProtocolObserver?
    let metrics: MetricsObserver?
    private let ownership = ExchangeOwnership()

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
        let wanted = configuration.observers
        let identifiers = IdentifierSource()
        let output = ObserverOutput(
            sink: sink, nextExchange: { identifiers.nextExchange() }, nextConnection: { identifiers.nextConnection() })

        if wanted.contains(.libcurl) {
            do {
                tap = try CurlObserver(sink: sink, identifiers: identifiers, keepBody: configuration.bodies.limit)
            } catch {
                throw MonitorError(error)
            }
            ownership.enter(.captured)
        } else {
            tap = nil
        }

        metrics = wanted.contains(.taskMetrics) ? MetricsObserver(output: output, ownership: ownership) : nil
        if configuration.sessions.includesEverySession { metrics?.observeAllTasks() }

        if wanted.contains(.urlProtocol) {
            do {
                interception = try URLProtocolObserver.start(
                    output: output, ownership: ownership,
                    settings: .init(
                        headers: configuration.sessions.headers,
                        observesAllSessions: configuration.sessions.includesEverySession))
            } catch {
                metrics?.stop()
                tap?.stop()
                throw MonitorError(error)
            }
        } else {
            interception = nil
        }
    }

    /// Waits until the sink has received all exchanges that ended before the call.
    func flush() async {
        if let interception { await withCheckedContinuation { done in interception.flush { done.resume() } } }
        if let tap { await withCheckedContinuation { done in tap.flush { done.resume() } } }
    }

    /// Stops all observers; the sink receives nothing after that.
    func stop() {
        // While the tap runs, it reports the tasks that the other observers leave to it. So it stops last.
        interception?.stop()
        metrics?.stop()
        guard let tap else { return }
        tap.stop()
        ownership.leave(.captured)
    }
}
