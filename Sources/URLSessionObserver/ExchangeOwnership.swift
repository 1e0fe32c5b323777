internal import Synchronization
package import TrafficModel

/// Agrees among the observers of one process who tells of a task, so that nothing is counted twice.
///
/// An observer's rank is the evidence that it can give. A weaker one keeps silent about a task that a stronger one sees.
/// The tap, and metrics in their automatic mode, see every task of the process: they ``enter(_:)``. Others see single
/// tasks: they ``claim(_:as:)``.
package final class ExchangeOwnership: Sendable {
    /// One task that somebody tells of.
    private struct Claim {
        // Objects end and their addresses serve again; a claim is worth something while its own object lives.
        weak var task: (any AnyObject & Sendable)?
        var rank: Evidence
        var isTold = false
    }

    private struct State {
        var present: [Evidence: Int] = [:]
        var claims: [ObjectIdentifier: Claim] = [:]
        /// How many claims there may be before those of ended objects are looked for.
        var sweepAt = 1_024

        mutating func set(_ claim: Claim, for key: ObjectIdentifier) {
            if claims.count >= sweepAt {
                claims = claims.filter { $0.value.task != nil }
                sweepAt = max(1_024, 2 * claims.count)
            }
            claims[key] = claim
        }

        func isTold(_ key: ObjectIdentifier) -> Bool { claims[key].map { $0.task != nil && $0.isTold } ?? false }

        func strongest(for key: ObjectIdentifier) -> Evidence? {
            let claimed = claims[key].flatMap { $0.task == nil ? nil : $0.rank }
            return [present.keys.max(), claimed].compactMap(\.self).max()
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// An observer begins that sees every task.
    package func enter(_ rank: Evidence) {
        state.withLock { $0.present[rank, default: 0] += 1 }
    }

    /// It ends; to be called once for each ``enter(_:)``.
    package func leave(_ rank: Evidence) {
        state.withLock { state in
            guard let count = state.present[rank] else { return }
            state.present[rank] = count > 1 ? count - 1 : nil
        }
    }

    /// Takes a task.
    ///
    /// A claim of a stronger observer replaces a weaker one's.
    ///
    /// - Parameters:
    ///   - task: the object that all observers of it know.
    ///   - rank: of the one who asks.
    /// - Returns: whether the one who asks is to tell of it.
    package func claim(_ task: any AnyObject & Sendable, as rank: Evidence) -> Bool {
        let key = ObjectIdentifier(task)
        return state.withLock { state in
            if let strongest = state.strongest(for: key), strongest > rank { return false }
            state.set(Claim(task: task, rank: rank, isTold: state.isTold(key)), for: key)
            return true
        }
    }

    /// Takes the one chance to tell of a task that is over.
    ///
    /// A session's delegate and a task's own may both bring the same metrics.
    ///
    /// - Returns: whether the one who asks is to tell of it, and nobody has.
    package func tellOnce(of task: any AnyObject & Sendable, as rank: Evidence) -> Bool {
        let key = ObjectIdentifier(task)
        return state.withLock { state in
            if let strongest = state.strongest(for: key), strongest > rank { return false }
            if state.isTold(key) { return false }
            state.set(Claim(task: task, rank: rank, isTold: true), for: key)
            return true
        }
    }

    /// Whether an observer of that rank is the one to tell of a task; also before it has claimed it.
    package func tells(of task: any AnyObject & Sendable, as rank: Evidence) -> Bool {
        state.withLock { $0.strongest(for: ObjectIdentifier(task)).map { $0 <= rank } ?? true }
    }

    /// Whether some observer stronger than that sees every task.
    package func isOutranked(_ rank: Evidence) -> Bool {
        state.withLock { state in state.present.keys.contains { $0 > rank } }
    }

    /// Gives a task back; a claim of another rank stays.
    package func release(_ task: any AnyObject & Sendable, as rank: Evidence) {
        let key = ObjectIdentifier(task)
        state.withLock { if $0.claims[key]?.rank == rank { $0.claims[key] = nil } }
    }

    /// How many tasks are claimed, those of ended objects among them.
    package var claimCount: Int { state.withLock { $0.claims.count } }
}
