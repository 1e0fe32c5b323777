internal import Synchronization

/// Counts from 1, from any thread.
final class Counter: Sendable {
    private let value: Atomic<Int64>

    /// Counts on from that number.
    init(after last: Int64 = 0) { value = Atomic(last) }

    /// The next number.
    ///
    /// It wraps where it would overflow: a meter that runs out of numbers must not end its program.
    func next() -> Int64 { value.wrappingAdd(1, ordering: .relaxed).newValue }
}
