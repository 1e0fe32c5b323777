internal import CurlObserver
internal import TrafficModel
internal import URLSessionObserver

/// Those who watch the process for one monitor: they number exchanges from one source, and agree on who tells of a task.
final class Observers: Sendable {
    let tap: CurlObserver?
    let interception: URLProtocolObserver?
    let metrics: MetricsObserver?
    private let ownership = ExchangeOwnership()

    /// Makes sure, before anything is touched, that a configuration would meter something here.
    static func check(_ configuration: TrafficMonitor.Configuration) throws(MonitorError) {
        guard !configuration.observers.isEmpty else { throw .nobodyObserves }
        guard !MetricsObserver.isAvailable else { return }
        guard configuration.observers != [.taskMetrics] else { throw .noMetrics }
        guard !configuration.sessions.includesEverySession else {
            throw MonitorError(URLProtocolObserver.Refusal.noHooks)
        }
    }

    /// Starts those that a configuration names.
    ///
    /// - Throws: ``MonitorError``, and then none runs.
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

    /// Waits until everything that has ended before has reached the sink.
    func flush() async {
        if let interception { await withCheckedContinuation { done in interception.flush { done.resume() } } }
        if let tap { await withCheckedContinuation { done in tap.flush { done.resume() } } }
    }

    /// Stops them all; nothing reaches the sink from then on.
    func stop() {
        // As long as the tap runs, it tells of what the others leave to it.
        interception?.stop()
        metrics?.stop()
        guard let tap else { return }
        tap.stop()
        ownership.leave(.captured)
    }
}
