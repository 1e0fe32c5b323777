internal import Locks
internal import TrafficModel

/// The times in which nothing is recorded.
///
/// Events arrive later than their exchange began. So the start time of the exchange is compared, not the time of
/// arrival.
final class Pauses: Sendable {
    /// How many pauses are kept; all events of exchanges that began in an older one have arrived long ago.
    private static let limit = 64

    private struct Pause {
        var begin: Timestamp
        var end: Timestamp?
    }

    private let pauses = Mutex<[Pause]>([])
    // Most programs are never paused, so most calls need no lock.
    private let hasAny = Atomic<Bool>(false)

    /// Whether a pause is going on.
    var isPaused: Bool { pauses.withLock { $0.last.map { $0.end == nil } ?? false } }

    func begin(at now: Timestamp) {
        pauses.withLock { pauses in
            if let last = pauses.last, last.end == nil { return }
            pauses.append(Pause(begin: now))
            if pauses.count > Self.limit { pauses.removeFirst() }
        }
        hasAny.store(true, ordering: .relaxed)
    }

    func end(at now: Timestamp) {
        pauses.withLock { pauses in
            guard let last = pauses.last, last.end == nil else { return }
            pauses[pauses.count - 1].end = now
        }
    }

    /// Whether a moment is within a pause.
    func contain(_ moment: Timestamp) -> Bool {
        guard hasAny.load(ordering: .relaxed) else { return false }
        return pauses.withLock { pauses in
            pauses.contains { $0.begin <= moment && ($0.end.map { moment < $0 } ?? true) }
        }
    }
}
