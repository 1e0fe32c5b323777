internal import Synchronization
internal import TrafficModel

#if canImport(FoundationNetworking) && !APPLE_STAND_IN
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Meters by what the system itself reports of each task, without re-issuing a request.
///
/// Feed it through ``MetricsDelegate``, or by hand. Foundation for Linux never collects metrics, so it tells nothing
/// there.
package final class MetricsObserver: Sendable {
    private let output: ObserverOutput
    /// Shared with the other observers of the process.
    package let ownership: ExchangeOwnership
    private let connections = Mutex(TransactionConnections())
    private let isStopped = Mutex(false)
    #if canImport(ObjectiveC) || APPLE_STAND_IN
        private let seesAll = Mutex(false)
    #endif

    package init(output: ObserverOutput, ownership: ExchangeOwnership = ExchangeOwnership()) {
        self.output = output
        self.ownership = ownership
    }

    /// Whether the system of this platform collects metrics at all.
    package static var isAvailable: Bool {
        #if canImport(ObjectiveC) || APPLE_STAND_IN
            true
        #else
            false
        #endif
    }

    /// A delegate that takes the metrics and passes every call on; that one itself where there are none to take.
    package func delegate(wrapping delegate: (any URLSessionDelegate)?) -> (any URLSessionDelegate)? {
        Self.isAvailable ? MetricsDelegate(wrapping: delegate, observer: self) : delegate
    }

    /// The system sees this task and will report on it: weaker observers need not.
    package func expect(_ task: URLSessionTask) {
        guard isRunning else { return }
        _ = ownership.claim(task, as: .reported)
    }

    /// Tells of a task that is over, once, whoever brings its metrics again.
    ///
    /// - Parameters:
    ///   - transactions: what the system reports.
    ///   - task: whose; it decides whether another observer tells of it.
    package func collect(_ transactions: [any TransactionMetrics], of task: URLSessionTask) {
        guard isRunning, ownership.tellOnce(of: task, as: .reported) else { return }
        collect(transactions, error: task.error)
    }

    /// Tells of a task that is over and that no other observer can have seen.
    package func collect(_ transactions: [any TransactionMetrics], error: (any Error)?) {
        guard isRunning else { return }
        let (outcome, endedAt) = (ExchangeEnd.Outcome(error), output.now())
        let events = connections.withLock { connections in
            TransactionRecords.events(
                of: transactions, outcome: outcome, process: output.process, endedAt: endedAt,
                connections: &connections, nextExchange: output.nextExchange, nextConnection: output.nextConnection)
        }
        for event in events { output.sink.record(event) }
    }

    /// Takes the metrics of every task of the process that is resumed from now on; nothing where there are none.
    package func observeAllTasks() {
        #if canImport(ObjectiveC) || APPLE_STAND_IN
            guard isRunning else { return }
            ownership.enter(.reported)
            ObjectiveCHooks.takeMetrics(for: self)
            seesAll.withLock { $0 = true }
        #endif
    }

    /// Ends it: nothing is told from now on.
    package func stop() {
        isStopped.withLock { $0 = true }
        #if canImport(ObjectiveC) || APPLE_STAND_IN
            let sawAll = seesAll.withLock { seesAll in
                defer { seesAll = false }
                return seesAll
            }
            guard sawAll else { return }
            ObjectiveCHooks.leaveMetrics()
            ownership.leave(.reported)
        #endif
    }

    private var isRunning: Bool { isStopped.withLock { !$0 } }
}
