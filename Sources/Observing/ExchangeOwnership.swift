internal import Locks

/// Decides which observer of a process reports a task, so that nothing is counted twice.
///
/// An observer does not report a task that an observer of higher ``ObserverRank`` sees. The tap, and metrics in their
/// automatic mode, see every task of the process: they call ``enter(_:)``. Other observers see single tasks: they call
/// ``claim(_:as:)``.
package final class ExchangeOwnership: Sendable {
    /// A task and the rank of the observer that reports it.
    private struct Claim {
        // Addresses of freed objects are reused, so a claim is valid only while its own object lives.
        weak var task: (any AnyObject & Sendable)?
        var rank: ObserverRank
        var isReported = false
    }

    private struct State {
        var present: [ObserverRank: Int] = [:]
        var claims: [ObjectIdentifier: Claim] = [:]
        /// The number of claims at which those of freed objects are removed.
        var sweepAt = 1_024

        mutating func set(_ claim: Claim, for key: ObjectIdentifier) {
            if claims.count >= sweepAt {
                claims = claims.filter { $0.value.task != nil }
                sweepAt = max(1_024, 2 * claims.count)
            }
            claims[key] = claim
        }

        func isReported(_ key: ObjectIdentifier) -> Bool {
            claims[key].map { $0.task != nil && $0.isReported } ?? false
        }

        func strongest(for key: ObjectIdentifier) -> ObserverRank? {
            let claimed = claims[key].flatMap { $0.task == nil ? nil : $0.rank }
            return [present.keys.max(), claimed].compactMap(\.self).max()
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Registers an observer that sees every task.
    package func enter(_ rank: ObserverRank) {
        state.withLock { $0.present[rank, default: 0] += 1 }
    }

    /// Unregisters such an observer; call it once for each ``enter(_:)``.
    package func leave(_ rank: ObserverRank) {
        state.withLock { state in
            guard let count = state.present[rank] else { return }
            state.present[rank] = count > 1 ? count - 1 : nil
        }
    }

    /// Claims a task for an observer.
    ///
    /// A claim of higher rank replaces one of lower rank.
    ///
    /// - Parameters:
    ///   - task: the object that all observers of the task know.
    ///   - rank: the caller's rank.
    /// - Returns: whether the caller should report the task.
    package func claim(_ task: any AnyObject & Sendable, as rank: ObserverRank) -> Bool {
        let key = ObjectIdentifier(task)
        return state.withLock { state in
            if let strongest = state.strongest(for: key), strongest > rank { return false }
            state.set(Claim(task: task, rank: rank, isReported: state.isReported(key)), for: key)
            return true
        }
    }

    /// Returns true once for each ended task, to the observer that should report it.
    ///
    /// It guards against reporting twice, because a session's delegate and a task's own may both get the same metrics.
    ///
    /// - Returns: whether the caller should report the task, and no observer has done so.
    package func takeReport(of task: any AnyObject & Sendable, as rank: ObserverRank) -> Bool {
        let key = ObjectIdentifier(task)
        return state.withLock { state in
            if let strongest = state.strongest(for: key), strongest > rank { return false }
            if state.isReported(key) { return false }
            state.set(Claim(task: task, rank: rank, isReported: true), for: key)
            return true
        }
    }

    /// Whether an observer of that rank should report a task, even before it has claimed the task.
    package func mayReport(_ task: any AnyObject & Sendable, as rank: ObserverRank) -> Bool {
        state.withLock { $0.strongest(for: ObjectIdentifier(task)).map { $0 <= rank } ?? true }
    }

    /// Whether an observer of higher rank sees every task.
    package func isOutranked(_ rank: ObserverRank) -> Bool {
        state.withLock { state in state.present.keys.contains { $0 > rank } }
    }

    /// Releases a task; a claim of another rank stays.
    package func release(_ task: any AnyObject & Sendable, as rank: ObserverRank) {
        let key = ObjectIdentifier(task)
        state.withLock { if $0.claims[key]?.rank == rank { $0.claims[key] = nil } }
    }

    /// The number of claims, including those of freed objects that are not yet removed.
    package var claimCount: Int { state.withLock { $0.claims.count } }
}
