internal import Synchronization

/// Counts from 1, from any thread.
final class Counter: Sendable {
    private let value = Atomic<Int64>(0)

    func next() -> Int64 { value.add(1, ordering: .relaxed).newValue }
}
