import Foundation
package import TrafficModel

/// Takes events from any thread and writes them on its own, many in a transaction.
///
/// `@unchecked Sendable`: everything that changes is behind `condition`, but for the store, which belongs to the one
/// thread that `start` makes.
package final class BatchWriter: TrafficSink, @unchecked Sendable {
    /// What can be set.
    package struct Options: Sendable {
        /// How many events may wait.
        package var capacity = 100_000
        /// How many events make a batch.
        package var batchSize = 1_000
        /// How many full batches that wait share a transaction: what all of them add to the sums is written once.
        package var batchesAtOnce = 8
        /// Seconds after which a batch is written though it is not full.
        package var interval = 0.25
        /// Seconds before the first retry of a batch that could not be written; doubled up to 32 times as many.
        package var retryDelay = 0.1
        /// How often a batch is tried before it is given up, unless the disk is full or the file is locked.
        package var attempts = 5
        /// Which rows are kept.
        package var retention = RetentionPolicy.keepAll

        /// The usual.
        package init() {}
    }

    /// What the writer has done.
    package struct Counters: Sendable, Hashable {
        /// Events that were taken.
        package var recorded: Int64 = 0
        /// Events that were not: there was no room, or the store could not be written.
        package var dropped: Int64 = 0
        /// Transactions.
        package var batches: Int64 = 0
        /// Rows in them.
        package var rows: Int64 = 0
    }

    let store: StoreWriter
    private(set) var options: Options
    let condition = NSCondition()
    var queue: EventQueue
    var counts = Counters()
    var lossesToWrite: [TrafficLoss.Reason: Int64] = [:]
    var oldestWaitsSince: Date?
    // How many events and losses are written or given up, and up to which of each somebody waits.
    var settled: Int64 = 0
    var wanted: Int64 = 0
    var losses = (counted: Int64(0), settled: Int64(0), wanted: Int64(0))
    var failure: StoreError?
    // How many attempts to write have begun, and which of them was the last to fail.
    var attempts = (begun: Int64(0), failed: Int64(0))
    // How often clearing was asked for and done, and why the last time failed.
    var clearing = (wanted: 0, done: 0, failure: StoreError?.none)
    var isFinishing = false
    var isDone = false
    var closeFailure: StoreError?

    /// A writer into that store, with its thread running until ``finish()``.
    ///
    /// The store is the writer's from now on.
    package init(store: sending StoreWriter, options: Options = Options()) {
        self.store = store
        self.options = options
        queue = EventQueue(capacity: options.capacity, batchSize: options.batchSize)
        let thread = Thread { [self] in work() }
        thread.name = "traffic store"
        thread.start()
    }

    /// What the writer has done so far.
    package var counters: Counters { condition.withLock { counts } }

    /// Why the last attempt to write failed; nil when it did not.
    package var lastError: StoreError? { condition.withLock { failure } }

    /// Takes one event; where there is no room it is counted as lost.
    package func record(_ event: TrafficEvent) {
        condition.lock()
        defer { condition.unlock() }
        guard !isFinishing, queue.append(event) else {
            counts.dropped += 1
            lossesToWrite[failure == nil ? .bufferFull : .storeFailed, default: 0] += 1
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

    /// Waits until everything that was recorded before is in the file.
    ///
    /// - Throws: the ``StoreError`` because of which it is not there yet; the writer goes on trying.
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
            // One that had begun before may have met what is mended by now; the next one will tell.
            if attempts.failed > begunBefore, let failure { throw failure }
            condition.wait()
        }
        if attempts.failed > failedBefore, let failure { throw failure }
    }

    /// Writes batches after that many seconds at the latest, if that is less than now.
    package func hurry(to interval: Double) {
        condition.withLock { options.interval = min(options.interval, interval) }
    }

    /// Deletes everything that has ended, once what was recorded before is written; see ``StoreWriter/clear()``.
    package func clear() throws {
        condition.lock()
        defer { condition.unlock() }
        clearing.wanted += 1
        let turn = clearing.wanted
        condition.broadcast()
        while clearing.done < turn, !isDone { condition.wait() }
        if clearing.done < turn { throw StoreError(.closed, "the store was closed before it could be cleared") }
        if let failure = clearing.failure { throw failure }
    }

    /// Writes what is left, ends what is open as abandoned, and closes the run.
    ///
    /// - Throws: the ``StoreError`` because of which something was left out.
    package func finish() throws {
        condition.lock()
        defer { condition.unlock() }
        isFinishing = true
        condition.broadcast()
        while !isDone { condition.wait() }
        if let error = closeFailure ?? failure { throw error }
    }
}
