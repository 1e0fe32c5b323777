import Foundation
package import TrafficModel

/// Takes events from any thread and writes them on its own thread, many in a transaction.
///
/// `@unchecked Sendable`: `condition` guards everything that changes, except the store, which only the thread that
/// `init` starts uses.
package final class BatchWriter: ExchangeSink, @unchecked Sendable {
    /// The settings of a writer.
    package struct Options: Sendable {
        /// The largest number of events that wait to be written.
        package var capacity = 100_000
        /// The number of events in a full batch.
        package var batchSize = 1_000
        /// The largest number of waiting batches in one transaction, which writes their common changes of the sums
        /// once.
        package var batchesAtOnce = 8
        /// Seconds after which a batch is written even if it is not full.
        package var interval = 0.25
        /// Seconds before the first retry of a batch that could not be written; each further delay doubles, up to 32
        /// times this.
        package var retryDelay = 0.1
        /// How often a batch is tried before it is dropped; on a full disk or a locked file, it is retried until the
        /// writer finishes.
        package var attempts = 5
        /// Which rows are kept, and for how long.
        package var retention = RetentionPolicy.keepAll
        /// Whether the search index is made while the store is written, in the background.
        package var keepsSearchIndex: Bool {
            get { indexLimits != nil }
            set { indexLimits = newValue ? .usual : nil }
        }
        var indexLimits: SearchIndex.Limits?

        /// The default settings.
        package init() {}
    }

    /// Counts of a writer's work.
    package struct Counters: Sendable, Hashable {
        /// Events that were accepted.
        package var recorded: Int64 = 0
        /// Events that were lost, by reason: there was no room, or the store could not be written.
        package var losses: [TrafficLoss.Reason: Int64] = [:]
        /// Transactions that were written.
        package var batches: Int64 = 0
        /// Records written in these transactions: an exchange has up to three, and kept bodies.
        package var rows: Int64 = 0

        /// The number of events that were lost.
        package var dropped: Int64 { losses.values.reduce(0, +) }
    }

    let store: StoreWriter
    let index: IndexUpkeep?
    private(set) var options: Options
    let condition = NSCondition()
    @exclusivity(unchecked) var queue: EventQueue
    @exclusivity(unchecked) var counts = Counters()
    @exclusivity(unchecked) var lossesToWrite: [TrafficLoss.Reason: Int64] = [:]
    @exclusivity(unchecked) var oldestWaitsSince: Date?
    // How many events and losses are written or given up, and how many of each a caller waits for.
    var settled: Int64 = 0
    var wanted: Int64 = 0
    @exclusivity(unchecked) var losses = (counted: Int64(0), settled: Int64(0), wanted: Int64(0))
    @exclusivity(unchecked) var failure: StoreError?
    // How many attempts to write have started, and which was the last to fail.
    var attempts = (begun: Int64(0), failed: Int64(0))
    // How many calls have requested a clearing and how many are done, and the error of the last one.
    var clearing = (wanted: 0, done: 0, failure: StoreError?.none)
    @exclusivity(unchecked) var isFinishing = false
    var isDone = false
    var closeFailure: StoreError?

    /// A writer into that store; its thread runs until ``finish()``.
    ///
    /// Only the writer may use the store from now on.
    package init(store: sending StoreWriter, options: Options = Options()) {
        self.store = store
        self.options = options
        index = options.indexLimits.map { IndexUpkeep(store.path, $0) }
        queue = EventQueue(capacity: options.capacity, batchSize: options.batchSize)
        let thread = Thread { [self] in work() }
        thread.name = "traffic store"
        thread.start()
    }

    /// Counts of the work so far.
    package var counters: Counters { condition.withLock { counts } }

    /// The error of the last attempt to write; nil if it succeeded.
    package var lastError: StoreError? { condition.withLock { failure } }

    /// Takes one event; if there is no room, the event is counted as lost.
    package func record(_ event: TrafficEvent) {
        condition.lock()
        defer { condition.unlock() }
        note(!isFinishing && queue.append(event))
    }

    /// Takes the events of one exchange; each for which there is no room is counted as lost.
    package func record(_ exchange: inout Exchange) {
        condition.lock()
        defer { condition.unlock() }
        note(!isFinishing && queue.append(exchange.request))
        if let response = exchange.response { note(!isFinishing && queue.append(response)) }
        if let end = exchange.end { note(!isFinishing && queue.append(end)) }
    }

    /// Counts an event, and wakes the writer if there is something for it to do.
    private func note(_ isQueued: Bool) {
        guard isQueued else {
            let reason = failure == nil ? TrafficLoss.Reason.bufferFull : .storeFailed
            counts.losses[reason, default: 0] += 1
            lossesToWrite[reason, default: 0] += 1
            losses.counted += 1
            return
        }
        counts.recorded += 1
        if oldestWaitsSince == nil {
            oldestWaitsSince = Date()
            condition.broadcast()
        } else if queue.hasJustFilledBatch {
            condition.broadcast()
        }
    }

    /// Waits until all events recorded before the call are in the file.
    ///
    /// - Throws: the ``StoreError`` that kept them from being written; the writer keeps trying.
    package func flush() throws {
        condition.lock()
        defer { condition.unlock() }
        let target = counts.recorded
        let (begunBefore, failedBefore) = attempts
        let lossTarget = losses.counted
        wanted = max(wanted, target)
        losses.wanted = max(losses.wanted, lossTarget)
        condition.broadcast()
        while settled < target || losses.settled < lossTarget, !isDone {
            // An attempt that began before this call may have failed for a cause that is gone by now; wait for the next
            // one.
            if attempts.failed > begunBefore, let failure { throw failure }
            condition.wait()
        }
        if attempts.failed > failedBefore, let failure { throw failure }
    }

    /// Lowers the interval after which batches are written to `interval` seconds; it is never raised.
    package func lowerInterval(to interval: Double) {
        condition.withLock { options.interval = min(options.interval, interval) }
    }

    /// Writes the events recorded before the call, then deletes everything that has ended; see ``StoreWriter/clear()``.
    package func clear() throws {
        condition.lock()
        defer { condition.unlock() }
        clearing.wanted += 1
        let turn = clearing.wanted
        condition.broadcast()
        while clearing.done < turn, !isDone { condition.wait() }
        if clearing.done < turn {
            throw StoreError(.closed, "the store was closed before it could be cleared; open it again")
        }
        if let failure = clearing.failure { throw failure }
    }

    /// Writes the remaining events, ends open exchanges as abandoned, and closes the run.
    ///
    /// - Throws: the ``StoreError`` because of which something was not written.
    package func finish() throws {
        condition.lock()
        defer { condition.unlock() }
        isFinishing = true
        condition.broadcast()
        while !isDone { condition.wait() }
        if let error = closeFailure ?? failure { throw error }
    }
}
