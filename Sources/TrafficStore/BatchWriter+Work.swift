import Foundation
internal import TrafficModel

extension BatchWriter {
    /// The thread's life.
    func work() {
        FileSizeSignal.block()
        var nextRetention = Date()
        while waitForWork(until: options.retention == .keepAll ? nil : nextRetention) {
            writeNextBatch()
            clearIfWanted()
            guard options.retention != .keepAll, Date() >= nextRetention else { continue }
            let hasMore = (try? store.retain(options.retention)) ?? false
            // One step, then whatever came meanwhile, then the next step.
            if !hasMore { nextRetention = Date().addingTimeInterval(options.retention.interval) }
        }
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

    /// Waits for a batch that is full or old enough, for a flush, or for the moment to look after the store.
    ///
    /// False when all is written and the end is wanted.
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

    private func writeNextBatch() {
        let (batch, losses) = condition.withLock {
            let batch = queue.take()
            oldestWaitsSince = queue.isEmpty ? nil : Date()
            let losses = lossesToWrite.map { TrafficLoss(reason: $0.key, count: $0.value) }
            lossesToWrite.removeAll()
            return (batch, losses)
        }
        guard !batch.isEmpty || !losses.isEmpty else { return }
        var attempt = 0
        while true {
            do {
                try store.write(batch, losses: losses)
                return settle(batch.count, losses)
            } catch {
                let error = error as? StoreError ?? StoreError(.failed, "writing failed: \(error)", cause: error)
                attempt += 1
                let willRecover = error.code == .diskFull || error.code == .busy
                fail(error)
                let isHopeless = store.damage != nil
                if isHopeless || attempt >= options.attempts, !willRecover || isEnding {
                    return giveUp(batch.count, losses)
                }
                pause(attempt)
            }
        }
    }

    private func clearIfWanted() {
        // What was recorded before comes first.
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

    private func settle(_ count: Int, _ written: [TrafficLoss]) {
        condition.withLock {
            queue.remove(count)
            settled += Int64(count)
            losses.settled += written.reduce(0) { $0 + $1.count }
            counts.batches += 1
            counts.rows = store.rowsWritten
            failure = nil
            condition.broadcast()
        }
    }

    private func fail(_ error: StoreError) {
        condition.withLock {
            failure = error
            failures += 1
            condition.broadcast()
        }
    }

    private func giveUp(_ count: Int, _ unwritten: [TrafficLoss]) {
        condition.withLock {
            queue.remove(count)
            settled += Int64(count)
            counts.dropped += Int64(count)
            losses.settled += unwritten.reduce(0) { $0 + $1.count }
            if isFinishing {
                // Nobody is left to write the counts, and trying each batch that waits would hold up the exit.
                while !queue.isEmpty {
                    let rest = queue.take().count
                    queue.remove(rest)
                    settled += Int64(rest)
                    counts.dropped += Int64(rest)
                }
                losses.settled = losses.counted
                lossesToWrite.removeAll()
            } else {
                let lost = unwritten + (count > 0 ? [TrafficLoss(reason: .storeFailed, count: Int64(count))] : [])
                for loss in lost {
                    lossesToWrite[loss.reason, default: 0] += loss.count
                    losses.counted += loss.count
                }
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
