import Testing
import TrafficModel

@Suite struct ByteCountTests {
    @Test("A count is never negative and never overflows")
    func saturates() {
        #expect(ByteCount(-5) == .zero)
        #expect(ByteCount(Int64.min).bytes == 0)
        #expect(ByteCount(UInt64.max).bytes == Int64.max)
        #expect((ByteCount(Int64.max) + 1).bytes == Int64.max)
        var sum = ByteCount(Int64.max - 1)
        sum += 5
        #expect(sum.bytes == Int64.max)
        #expect(ByteCount.megabytes(Int.max).bytes == Int64.max)
        #expect(ByteCount.megabytes(Int.min) == .zero)
    }

    @Test("Units multiply, counts add and compare")
    func units() {
        #expect(ByteCount.bytes(20) == 20)
        #expect(ByteCount.kilobytes(40) + .kibibytes(1) == 41_024)
        #expect(ByteCount.megabytes(2) < .mebibytes(2))
        #expect(ByteCount.kilobytes(1).description == "1000")
    }
}
