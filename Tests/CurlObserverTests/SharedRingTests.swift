import CCurlTap
import Dispatch
import Foundation
import Glibc
import Testing

@testable import CurlObserver

/// The ring by which a preloaded program gives its messages to the command.
@Suite struct SharedRingTests {
    /// Both ends, and the memory itself as a program could write to it.
    private final class Ends: @unchecked Sendable {
        let writer: OpaquePointer
        let reader: SharedRing
        let memory: UnsafeMutableRawPointer

        static let room = Int(WWT_SHARED_RING_ROOM)
        /// Where the words and the messages are: `reserved`, and the first byte.
        static let reserved = 0
        static let bytes = 4_096

        init() throws {
            var descriptor: Int32 = -1
            writer = try #require(wwt_shared_ring_create(&descriptor))
            memory = UnsafeMutableRawPointer(writer)
            reader = try #require(SharedRing(descriptor))
        }

        deinit { wwt_shared_ring_unmap(writer) }

        @discardableResult
        func put(_ bytes: [UInt8], most: Int = room) -> wwt_shared_put {
            wwt_shared_ring_put(writer, bytes, bytes.count, most)
        }

        func take() throws -> [UInt8]? { try reader.take().map { Array($0) } }

        func word(at place: Int) -> UnsafeMutablePointer<UInt32> {
            (memory + Self.bytes + place).assumingMemoryBound(to: UInt32.self)
        }
    }

    private func message(_ number: Int, size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
    }

    @Test func messagesComeOutAsTheyWentIn() throws {
        let ends = try Ends()
        var number = 0
        // Several times around, with sizes that end everywhere.
        for round in 0..<60 {
            let sizes = [1, 7, 8, 9, 1_000, 65_536, 131 * round % 50_000 + 1]
            for (index, size) in sizes.enumerated() {
                #expect(ends.put(message(number + index, size: size)) == WWT_SHARED_PUT)
            }
            for (index, size) in sizes.enumerated() {
                #expect(try ends.take() == message(number + index, size: size))
            }
            if round % 3 == 0 { #expect(try ends.take() == nil) }
            number += sizes.count
        }
    }

    @Test func aFullRingTakesNothing() throws {
        let ends = try Ends()
        var count = 0
        while ends.put(message(count, size: 1_016)) != WWT_SHARED_FULL { count += 1 }
        #expect(count == Ends.room / 1_024)
        #expect(try ends.take() == message(0, size: 1_016))
        #expect(ends.put(message(7, size: 1_016), most: Ends.room / 2) == WWT_SHARED_FULL)
        #expect(ends.put(message(7, size: 1_016)) != WWT_SHARED_FULL)
        for number in 1..<count { #expect(try ends.take() == message(number, size: 1_016)) }
        #expect(try ends.take() == message(7, size: 1_016))
        #expect(try ends.take() == nil)
    }

    @Test func theReaderIsWokenOnce() throws {
        let ends = try Ends()
        #expect(ends.put([1]) == WWT_SHARED_PUT)
        #expect(!ends.reader.maySleep())
        #expect(try ends.take() == [1])
        #expect(ends.reader.maySleep())
        #expect(ends.put([2]) == WWT_SHARED_PUT_WAKE)
        #expect(ends.put([3]) == WWT_SHARED_PUT)
        // It does not sleep any more, and the ring fills.
        let woken = (0..<15).filter { _ in ends.put(message(0, size: 60_000)) == WWT_SHARED_PUT_WAKE }
        #expect(woken.count == 1)
        while try ends.take() != nil {}
        #expect(ends.reader.maySleep())
    }

    @Test func threadsPutAtOnce() throws {
        let ends = try Ends()
        let threads = 4
        let each = 5_000
        let next = UnsafeMutablePointer<Int>.allocate(capacity: threads)
        next.initialize(repeating: 0, count: threads)
        defer { next.deallocate() }
        let done = DispatchGroup()
        for thread in 0..<threads {
            DispatchQueue.global().async(group: done) {
                for number in 0..<each {
                    let size = 3 + (number &* 7 &+ thread) % 300
                    let bytes = [UInt8(thread), UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: size)]
                    let whole = bytes + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size - 3)
                    while ends.put(whole) == WWT_SHARED_FULL { usleep(100) }
                }
            }
        }
        var taken = 0
        while taken < threads * each {
            guard let bytes = try ends.take() else { continue }
            let thread = Int(bytes[0])
            let number = next[thread]
            let isRight =
                bytes[1] == UInt8(truncatingIfNeeded: number) && bytes[2] == UInt8(truncatingIfNeeded: bytes.count)
                && bytes.count == 3 + (number &* 7 &+ thread) % 300 && bytes.dropFirst(3).allSatisfy { $0 == bytes[1] }
            guard isRight else {
                Issue.record("message \(number) of thread \(thread): \(bytes.prefix(8))")
                break
            }
            next[thread] += 1
            taken += 1
        }
        done.wait()
        #expect(try ends.take() == nil)
    }

    @Test func aClosedRingGivesWhatItHas() throws {
        let ends = try Ends()
        ends.put([1])
        ends.reader.close()
        #expect(ends.put([2]) == WWT_SHARED_CLOSED)
        #expect(try ends.take() == [1])
        #expect(try ends.take() == nil)
    }

    /// The program ended while it put one in: those of its other threads are taken.
    @Test func aMessageThatIsNeverWhole() throws {
        let ends = try Ends()
        ends.put([1])
        let reserved = ends.memory.load(fromByteOffset: Ends.reserved, as: UInt64.self)
        ends.memory.storeBytes(of: reserved + 24, toByteOffset: Ends.reserved, as: UInt64.self)
        ends.word(at: Int(reserved)).pointee = 12 | 1 << 31
        ends.put([3])
        #expect(try ends.take() == [1])
        #expect(try ends.take() == nil)
        ends.reader.close()
        #expect(try ends.take() == [3])
        #expect(try ends.take() == nil)
        // Of one that has not even its size, the end is not known.
        let other = try Ends()
        other.put([1])
        let end = other.memory.load(fromByteOffset: Ends.reserved, as: UInt64.self)
        other.memory.storeBytes(of: end + 24, toByteOffset: Ends.reserved, as: UInt64.self)
        other.put([3])
        other.reader.close()
        #expect(try other.take() == [1])
        #expect(try other.take() == nil)
    }

    /// Whatever the program writes into its memory, the reader stays within it, and ends.
    @Test func whatMakesNoSense() throws {
        var random = SystemRandomNumberGenerator()
        var errors = 0
        for _ in 0..<300 {
            let ends = try Ends()
            for number in 0..<20 { ends.put(message(number, size: 100 * number + 1)) }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Bool.random(using: &random) ? 0 : Int.random(in: 0..<2_000, using: &random) * 8
                let value = [0, 1 << 30, 1 << 31, .max, 12, UInt32.random(in: 0...(.max), using: &random)]
                ends.word(at: place).pointee = value.randomElement(using: &random)!
            }
            if Int.random(in: 0..<3, using: &random) == 0 {
                let value = UInt64.random(in: 0...(.max), using: &random) >> UInt64.random(in: 0..<60, using: &random)
                ends.memory.storeBytes(of: value, toByteOffset: Ends.reserved, as: UInt64.self)
            }
            var taken = 0
            do {
                while try ends.take() != nil, taken < 1_000_000 { taken += 1 }
            } catch { errors += 1 }
            #expect(taken < 1_000_000)
        }
        #expect(errors > 0)
    }

    @Test func memoryThatIsNoRing() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(SharedRing(ends[0]) == nil)
        close(ends[1])
        // It could shrink, and end who reads it.
        let path = FileManager.default.temporaryDirectory.path + "/ring-\(UUID().uuidString)"
        let file = open(path, O_RDWR | O_CREAT, 0o600)
        unlink(path)
        #expect(ftruncate(file, off_t(Ends.bytes + Ends.room)) == 0)
        #expect(SharedRing(file) == nil)
        #expect(SharedRing(-1) == nil)
    }
}
