internal import Synchronization

/// Lets one after the other in, in the order they come.
package final class Turn: Sendable {
    private struct State {
        var isTaken = false
        var nextNumber = 0
        var waiting: [(number: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        /// Who was cancelled before it began to wait.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Nobody's turn yet.
    package init() {}

    /// Waits for the turn.
    ///
    /// - Throws: `CancellationError`, and then it is not one's turn.
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
        // A cancel that came once it was one's turn changes nothing.
        state.withLock { _ = $0.cancelled.remove(number) }
    }

    /// Gives the turn to the next who waits.
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
