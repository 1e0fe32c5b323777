internal import CAtomics

/// A value that fits into the 64 bits of an ``Atomic``.
package protocol AtomicValue: Sendable {
    init(atomicBits: Int64)
    var atomicBits: Int64 { get }
}

extension Int64: AtomicValue {
    package init(atomicBits: Int64) { self = atomicBits }
    package var atomicBits: Int64 { self }
}

extension Int: AtomicValue {
    package init(atomicBits: Int64) { self = Int(truncatingIfNeeded: atomicBits) }
    package var atomicBits: Int64 { Int64(self) }
}

extension Bool: AtomicValue {
    package init(atomicBits: Int64) { self = atomicBits != 0 }
    package var atomicBits: Int64 { self ? 1 : 0 }
}

/// What other threads may see of an access; ours are all in one order, which is at least as strict.
package struct AtomicOrdering: Sendable {
    package static let relaxed = AtomicOrdering()
    package static let acquiring = AtomicOrdering()
    package static let releasing = AtomicOrdering()
}

/// A value that threads read and change without a lock, with the interface of `Atomic` in Synchronization.
///
/// `@unchecked Sendable`: the number is accessed by atomic instructions alone.
package struct Atomic<Value: AtomicValue>: ~Copyable, @unchecked Sendable {
    private let number: UnsafeMutablePointer<Int64>

    /// Makes an atomic with a first value.
    package init(_ initialValue: Value) {
        number = .allocate(capacity: 1)
        number.initialize(to: initialValue.atomicBits)
    }

    deinit { number.deallocate() }

    /// Returns the value.
    package borrowing func load(ordering: AtomicOrdering) -> Value { Value(atomicBits: wwt_atomic_load(number)) }

    /// Replaces the value.
    package borrowing func store(_ value: Value, ordering: AtomicOrdering) {
        wwt_atomic_store(number, value.atomicBits)
    }
}

extension Atomic where Value: FixedWidthInteger {
    /// Adds to the value, with wrap-around, and returns it as it was and as it is.
    @discardableResult
    package borrowing func wrappingAdd(_ addend: Value, ordering: AtomicOrdering) -> (oldValue: Value, newValue: Value)
    {
        let old = Value(atomicBits: wwt_atomic_add(number, addend.atomicBits))
        return (old, old &+ addend)
    }

    /// Adds to the value, and returns it as it was and as it is.
    ///
    /// A sum that does not fit is a programming error.
    @discardableResult
    package borrowing func add(_ addend: Value, ordering: AtomicOrdering) -> (oldValue: Value, newValue: Value) {
        let values = wrappingAdd(addend, ordering: ordering)
        precondition(!values.oldValue.addingReportingOverflow(addend).overflow, "the sum does not fit")
        return values
    }
}
