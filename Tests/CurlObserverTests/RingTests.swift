import CCurlTap
import Foundation
import Testing

/// The ring between a program's threads and the reader.
@Suite("the ring") struct RingTests {
    @Test("keeps room for what meters: kept content gets half of it at most")
    func contentGivesWay() throws {
        let ring = try #require(wwt_ring_create(64 << 10))
        defer { wwt_ring_destroy(ring) }
        func emit(_ kind: wwt_frame_kind) -> Bool {
            var frame = [UInt8](repeating: 0, count: 4_096)
            withUnsafeBytes(of: wwt_frame(size: 4_096, kind: kind.rawValue, transfer: 1, monotonic: 0)) {
                frame.replaceSubrange(0..<$0.count, with: $0)
            }
            return wwt_ring_emit(UnsafeMutableRawPointer(ring), frame, frame.count, true)
        }
        #expect((0..<20).count { _ in emit(WWT_CONTENT_IN) } == 8)
        #expect((0..<20).count { _ in emit(WWT_BODY_IN) } == 8)
        var lost = wwt_ring_take_lost(ring)
        #expect(lost >= 12)
        var taken = [UInt8](repeating: 0, count: 64 << 10)
        while wwt_ring_read(ring, &taken, taken.count, 0, 0) > 0 {}
        #expect((0..<20).count { _ in emit(WWT_BODY_IN) } == 16)
        lost = wwt_ring_take_lost(ring)
        #expect(!emit(WWT_CONTENT_OUT), "full")
    }

    @Test("takes no more memory than was ever in it at once, and hands on each byte as it came")
    func memory() throws {
        // So large that the allocator asks the kernel for it.
        let capacity = 64 << 20
        let ring = try #require(wwt_ring_create(capacity))
        defer { wwt_ring_destroy(ring) }
        let size = 4_096
        var frame = [UInt8](repeating: 0, count: size)
        var taken = [UInt8](repeating: 0, count: 4 * size)
        for round in 0..<(2 * capacity / size) {
            withUnsafeBytes(of: UInt32(size)) { frame.replaceSubrange(0..<4, with: $0) }
            frame[size - 1] = UInt8(truncatingIfNeeded: round)
            #expect(wwt_ring_emit(UnsafeMutableRawPointer(ring), frame, size, true))
            // One waits while the next comes, now and then.
            if round % 3 == 0 { continue }
            let count = wwt_ring_read(ring, &taken, taken.count, 0, 0)
            #expect(count == (round % 3 == 1 ? 2 : 1) * size && taken[count - 1] == frame[size - 1])
        }
        let page = sysconf(Int32(_SC_PAGESIZE))
        let first = (Int(bitPattern: ring) / page + 1) * page
        var resident = [UInt8](repeating: 0, count: capacity / page - 1)
        try #require(mincore(UnsafeMutableRawPointer(bitPattern: first), resident.count * page, &resident) == 0)
        #expect(resident.count { $0 & 1 == 1 } < 16)
    }
}
