internal import Synchronization

/// Counts from 1, from any thread.
final class Counter: Sendable {
    private let value: Atomic<Int64>

    /// A counter whose first number is the one after `last`.
    init(after last: Int64 = 0) { value = Atomic(last) }

    /// The next number.
    ///
    /// It wraps around instead of overflowing: a meter that runs out of numbers must not end its program.
    func next() -> Int64 { value.wrappingAdd(1, ordering: .relaxed).newValue }
}
