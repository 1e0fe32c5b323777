import Dispatch
import Foundation
import PortableLocks
import Testing

/// The locks of Apple's systems before iOS 18, compiled for Linux.
@Suite
struct PortableLocksTests {
    private struct Refused: Error, Equatable {}

    private final class Watched: Sendable {
        let ended: @Sendable () -> Void
        init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
        deinit { ended() }
    }

    @Test("Threads that change a value under the lock lose no change")
    func mutualExclusion() {
        let sum = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { sum.withLock { $0 += 1 } }
        }
        let total = sum.withLock { $0 }
        #expect(total == 80_000)
    }

    private final class Shared: Sendable {
        let mutex = Mutex(0)
        let entries = Atomic(0)
    }

    @Test("A thread waits while another has the value")
    func waiting() {
        let shared = Shared()
        let (comes, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let early = shared.mutex.withLock { _ in
            DispatchQueue.global().async {
                comes.signal()
                shared.mutex.withLock { _ in _ = shared.entries.add(1, ordering: .relaxed) }
                done.signal()
            }
            comes.wait()
            for _ in 0..<10_000 { sched_yield() }
            return shared.entries.load(ordering: .relaxed)
        }
        done.wait()
        let late = shared.entries.load(ordering: .relaxed)
        #expect(early == 0)
        #expect(late == 1)
    }

    @Test("An error leaves the lock open and the change in place")
    func errors() {
        let list = Mutex<[Int]>([])
        #expect(throws: Refused()) {
            try list.withLock { (value: inout [Int]) throws(Refused) in
                value.append(1)
                throw Refused()
            }
        }
        let after = list.withLock { $0 }
        #expect(after == [1])
    }

    @Test("The value is released once, with the lock")
    func release() {
        let count = Atomic(0)
        do {
            let mutex = Mutex<Watched?>(Watched { count.add(1, ordering: .relaxed) })
            mutex.withLock { _ in }
            let before = count.load(ordering: .relaxed)
            #expect(before == 0)
        }
        let after = count.load(ordering: .relaxed)
        #expect(after == 1)
    }

    @Test("Threads that add to a number each get their own")
    func numbers() {
        let next = Atomic<Int64>(100)
        let taken = Mutex<Set<Int64>>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            var own: [Int64] = []
            for _ in 0..<10_000 { own.append(next.wrappingAdd(1, ordering: .relaxed).newValue) }
            taken.withLock { $0.formUnion(own) }
        }
        let isWhole = taken.withLock { $0 == Set(101...80_100) }
        #expect(isWhole)
    }

    @Test("A sum returns the value before and after, and wraps around")
    func sums() {
        let number = Atomic(Int64.max)
        let wrapped = number.wrappingAdd(1, ordering: .relaxed)
        #expect(wrapped == (Int64.max, Int64.min))
        let other = Atomic(5)
        let sum = other.add(-7, ordering: .relaxed)
        #expect(sum == (5, -2))
    }

    @Test("A flag that is set stays set")
    func flags() {
        let flag = Atomic(false)
        let before = flag.load(ordering: .acquiring)
        flag.store(true, ordering: .releasing)
        let after = flag.load(ordering: .acquiring)
        #expect(!before && after)
    }
}
