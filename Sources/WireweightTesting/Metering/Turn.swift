internal import Locks

/// A lock for asynchronous code that admits one task at a time, in the order of their calls.
package final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var nextNumber = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        /// The numbers of tasks that were cancelled before they started to wait.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Makes a lock that no task holds.
    package init() {}

    /// Waits until it is the task's turn.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; it does not have the turn then.
    nonisolated(nonsending) package func take() async throws {
        try Task.checkCancellation()
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if state.isTaken {
                        state.waiting.append((number, continuation))
                        return nil
                    }
                    state.isTaken = true
                    return .success(())
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return CheckedContinuation<Void, any Error>?.none
                }
                return state.waiting.remove(at: index).continuation
            }
            waiting?.resume(throwing: CancellationError())
        }
        // A cancellation that came after the task got its turn has no effect.
        state.withLock { _ = $0.cancelled.remove(number) }
    }

    /// Passes the turn to the next waiting task.
    package func give() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return CheckedContinuation<Void, any Error>?.none
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}
