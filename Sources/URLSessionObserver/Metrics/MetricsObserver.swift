package import Observing
internal import Locks
internal import TrafficModel

#if canImport(FoundationNetworking)
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Meters from the system's own report on each task, without sending a request itself.
///
/// ``MetricsDelegate`` passes metrics to it, or the caller does. Foundation for Linux never collects metrics, so it
/// reports nothing there.
package final class MetricsObserver: TrafficObserver {
    private let output: ObserverOutput
    /// The object that all observers of the process share.
    package let ownership: ExchangeOwnership
    private let connections = Mutex(TransactionConnections())
    private let isStopped = Mutex(false)
    #if canImport(ObjectiveC)
        private let seesAll = Mutex(false)
    #endif

    package init(output: ObserverOutput, ownership: ExchangeOwnership = ExchangeOwnership()) {
        self.output = output
        self.ownership = ownership
    }

    /// Whether this platform's system collects metrics at all.
    package static var isAvailable: Bool {
        #if canImport(ObjectiveC)
            true
        #else
            false
        #endif
    }

    /// Returns a delegate that takes the metrics and passes every call on; the given one if the system collects none.
    package func delegate(wrapping delegate: (any URLSessionDelegate)?) -> (any URLSessionDelegate)? {
        Self.isAvailable ? MetricsDelegate(wrapping: delegate, observer: self) : delegate
    }

    /// Claims a task that the system will report on, so that observers of lower rank do not report it.
    package func expect(_ task: URLSessionTask) {
        guard isRunning else { return }
        _ = ownership.claim(task, as: .taskMetrics)
    }

    /// Reports an ended task once, even if several delegates pass on its metrics.
    ///
    /// - Parameters:
    ///   - transactions: the metrics of the system.
    ///   - task: the task; its claims decide whether another observer reports it.
    package func collect(_ transactions: [any TransactionMetrics], of task: URLSessionTask) {
        guard isRunning, ownership.takeReport(of: task, as: .taskMetrics) else { return }
        collect(transactions, error: task.error, response: task.response)
    }

    /// Reports an ended task that no other observer can have seen.
    package func collect(
        _ transactions: [any TransactionMetrics], error: (any Error)?, response: URLResponse? = nil
    ) {
        guard isRunning else { return }
        let (outcome, endedAt) = (ExchangeEnd.Outcome(error), output.now())
        let events = connections.withLock { connections in
            TransactionRecords.events(
                of: transactions, outcome: outcome, taskResponse: response, process: output.process, endedAt: endedAt,
                connections: &connections, nextExchange: output.identifiers.nextExchange,
                nextConnection: output.identifiers.nextConnection)
        }
        for event in events { output.sink.record(event) }
    }

    #if canImport(ObjectiveC)
        /// Counts a task whose metrics cannot be had.
        func miss() {
            guard isRunning else { return }
            output.sink.record(.loss(TrafficLoss(reason: .untapped, count: 1)))
        }
    #endif

    /// Takes the metrics of every task that is resumed from now on; does nothing if the system collects none.
    package func observeAllTasks() {
        #if canImport(ObjectiveC)
            guard isRunning else { return }
            ownership.enter(.taskMetrics)
            ObjectiveCHooks.takeMetrics(for: self)
            seesAll.withLock { $0 = true }
        #endif
    }

    /// Calls back at once, because nothing waits: a task is reported when its metrics come.
    package func flush(_ done: @escaping @Sendable () -> Void) { done() }

    /// Does nothing, because nothing waits.
    package func lowerLatency() {}

    /// Stops the observer; it reports nothing afterwards.
    package func stop() {
        isStopped.withLock { $0 = true }
        #if canImport(ObjectiveC)
            let sawAll = seesAll.withLock { seesAll in
                defer { seesAll = false }
                return seesAll
            }
            guard sawAll else { return }
            ObjectiveCHooks.leaveMetrics(of: self)
            ownership.leave(.taskMetrics)
        #endif
    }

    private var isRunning: Bool { isStopped.withLock { !$0 } }
}
