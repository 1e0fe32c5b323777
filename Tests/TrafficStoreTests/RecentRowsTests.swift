import Testing

@testable import TrafficStore

/// Which rows the last numbers became.
@Suite("rows of recent numbers") struct RecentRowsTests {
    @Test("the last 16,384 of numbers that count upwards are known, however many there were")
    func lastNumbers() {
        var recent = RecentRows()
        for count in [1, 255, 256, 257, 5_000, 16_384, 40_000] as [Int64] {
            recent = RecentRows()
            for number in 1...count { recent[number] = number + 7 }
            for number in max(1, count - 16_383)...count { #expect(recent[number] == number + 7) }
            #expect(recent[count + 1] == nil)
            #expect(recent[count - 16_384] == nil)
        }
    }

    @Test("a number that is forgotten is none, and does not take another with it")
    func forgotten() {
        var recent = RecentRows()
        for number in 1...1_000 as ClosedRange<Int64> { recent[number] = number }
        recent[500] = nil
        recent[500 + 16_384] = nil
        #expect(recent[500] == nil)
        #expect(recent[499] == 499 && recent[501] == 501)
        recent[501 + 1_024] = nil
        #expect(recent[501] == 501)
    }
}
