import Testing

@testable import CaptureVerification

@Suite("Sequence coverage") struct SequenceCoverageTests {
    @Test("a byte that is sent again counts once, however the segments overlap")
    func overlaps() {
        var coverage = SequenceCoverage(origin: 100, isAnchored: true)
        coverage.insert(100, count: 10)
        coverage.insert(100, count: 10)
        coverage.insert(105, count: 10)
        coverage.insert(130, count: 10)
        coverage.insert(120, count: 5)
        #expect(coverage.count() == 30)
        #expect(coverage.missing(below: coverage.end) == 10)
        // One that spans all of them and the gaps between.
        coverage.insert(101, count: 45)
        #expect(coverage.count() == 46)
        #expect(coverage.missing(below: coverage.end) == 0)
        #expect(coverage.missing(below: 50) == 4)
    }

    @Test("segments in the reverse order leave no gap")
    func reversed() {
        var coverage = SequenceCoverage(origin: 0, isAnchored: true)
        for start in stride(from: UInt32(90), through: 0, by: -10) { coverage.insert(start, count: 10) }
        #expect(coverage.count() == 100)
        #expect(coverage.missing(below: 100) == 0)
    }

    @Test("numbers wrap at 32 bits, several times")
    func wraps() {
        var coverage = SequenceCoverage(origin: 0xFFFF_FFF0, isAnchored: true)
        var number: UInt32 = 0xFFFF_FFF0
        // 3 × 4 GiB in segments of 1 GiB.
        for _ in 0..<12 {
            coverage.insert(number, count: 1 << 30)
            number &+= 1 << 30
        }
        #expect(coverage.count() == 12 << 30)
        coverage.insert(number &- 10, count: 20)
        #expect(coverage.count() == 12 << 30 + 10)
        #expect(coverage.missing(below: coverage.end) == 0)
    }

    @Test("the SYN's own number is no byte of payload")
    func synNumber() {
        var coverage = SequenceCoverage(origin: 100, isAnchored: true)
        coverage.insert(99, count: 1)
        #expect(coverage.count() == 0)
        coverage.insert(99, count: 5)
        #expect(coverage.count() == 4)
    }

    @Test("without a SYN, what comes before the first segment counts")
    func unanchored() {
        var coverage = SequenceCoverage(origin: 100, isAnchored: false)
        coverage.insert(100, count: 10)
        coverage.insert(80, count: 10)
        #expect(coverage.count() == 20)
        #expect(coverage.missing(below: coverage.end) == 10)
    }
}
