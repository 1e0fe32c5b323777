import Foundation
internal import TrafficModel

extension BatchWriter {
    /// The main loop of the writer's thread.
    func work() {
        FileSizeSignal.block()
        var nextRetention = Date()
        while waitForWork(until: options.retention == .keepAll ? nil : nextRetention) {
            writeWaitingBatches()
            index?.note(lastExchange: store.transaction.nextExchange - 1)
            clearIfWanted()
            guard options.retention != .keepAll, Date() >= nextRetention else { continue }
            let hasMore = (try? store.retain(options.retention)) ?? false
            // One step of retention, then the events that came meanwhile, then the next step.
            if !hasMore { nextRetention = Date().addingTimeInterval(options.retention.interval) }
        }
        index?.stop()
        let failed: StoreError?
        do {
            try store.close()
            failed = nil
        } catch {
            failed = error as? StoreError
        }
        condition.withLock {
            closeFailure = failed
            isDone = true
            condition.broadcast()
        }
    }

    /// Waits for a batch that is full or old enough, for a flush, or for the time of the next retention step.
    ///
    /// Returns false if the writer is finishing and everything is written.
    private func waitForWork(until moment: Date?) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if queue.hasFullBatch || wanted > settled || losses.wanted > losses.settled { return true }
            if clearing.wanted > clearing.done { return true }
            if isFinishing { return !queue.isEmpty || !lossesToWrite.isEmpty }
            let due = oldestWaitsSince?.addingTimeInterval(options.interval)
            let next = [due, moment].compactMap(\.self).min()
            if let next, next <= Date() { return true }
            if !lossesToWrite.isEmpty, due == nil { return true }
            if let next { _ = condition.wait(until: next) } else { condition.wait() }
        }
    }

    private func writeWaitingBatches() {
        var attempt = 0
        while true {
            // After a failure the batches are written one by one, so that a bad batch does not fail others.
            let (batches, losses) = condition.withLock {
                attempts.begun += 1
                let batches = queue.oldest(attempt == 0 ? options.batchesAtOnce : 1)
                oldestWaitsSince = batches.reduce(0) { $0 + $1.count } < queue.count ? Date() : nil
                return (batches, lossesToWrite.map { TrafficLoss(reason: $0.key, count: $0.value) })
            }
            guard !batches.isEmpty || !losses.isEmpty else { return }
            do {
                try store.write(batches, losses: losses)
                return settle(batches.count, losses)
            } catch {
                let error =
                    error as? StoreError
                    ?? StoreError(.failed, "writing failed: \(error); check the disk of the store", cause: error)
                attempt += 1
                let willRecover = error.code == .diskFull || error.code == .busy
                fail(error)
                let isHopeless = store.damage != nil
                if isHopeless || attempt >= options.attempts, !willRecover || isEnding {
                    return giveUp(min(batches.count, 1), losses)
                }
                pause(attempt)
            }
        }
    }

    private func clearIfWanted() {
        // Events that were recorded before the call are written first.
        let turn = condition.withLock { queue.isEmpty ? clearing.wanted : clearing.done }
        guard turn > condition.withLock({ clearing.done }) else { return }
        let failure: StoreError?
        do {
            try store.clear()
            failure = nil
        } catch {
            failure = error as? StoreError
        }
        condition.withLock {
            clearing.done = turn
            clearing.failure = failure
            condition.broadcast()
        }
    }

    private var isEnding: Bool { condition.withLock { isFinishing } }

    private func settle(_ batches: Int, _ written: [TrafficLoss]) {
        condition.withLock {
            settled += Int64(queue.remove(batches))
            for loss in written {
                losses.settled += loss.count
                lossesToWrite[loss.reason, default: 0] -= loss.count
            }
            lossesToWrite = lossesToWrite.filter { $0.value > 0 }
            counts.batches += 1
            counts.rows = store.rowsWritten
            failure = nil
            condition.broadcast()
        }
    }

    private func fail(_ error: StoreError) {
        condition.withLock {
            failure = error
            attempts.failed = attempts.begun
            condition.broadcast()
        }
    }

    private func giveUp(_ batches: Int, _ unwritten: [TrafficLoss]) {
        condition.withLock {
            let events = Int64(queue.remove(batches))
            settled += events
            counts.losses[.storeFailed, default: 0] += events
            let known = unwritten.reduce(0) { $0 + $1.count }
            losses.settled += known
            if isFinishing {
                // No later batch will write these counts, and trying each waiting batch would delay the exit.
                let rest = Int64(queue.removeAll())
                settled += rest
                counts.losses[.storeFailed, default: 0] += rest
                losses.settled = losses.counted
                lossesToWrite.removeAll()
            } else {
                // The losses already counted are counted again, because they still have to be written.
                losses.counted += known + events
                if events > 0 { lossesToWrite[.storeFailed, default: 0] += events }
            }
            condition.broadcast()
        }
    }

    private func pause(_ attempt: Int) {
        let delay = options.retryDelay * Double(1 << min(attempt - 1, 5))
        condition.lock()
        defer { condition.unlock() }
        let end = Date().addingTimeInterval(delay)
        while Date() < end, !isFinishing { _ = condition.wait(until: end) }
    }
}
