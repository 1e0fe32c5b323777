import TestSupport
import Testing
import TrafficModel

@testable import TrafficReports

/// The statistics, judged on durations of which it is known whether they differ.
@Suite("Latency comparison") struct LatencyComparisonTests {
    /// Shapes that latencies have.
    enum Shape: String, CaseIterable {
        /// Spread over less than an octave.
        case narrow
        /// Spread over several octaves.
        case wide
        /// From a cache, or not.
        case twoPeaks
        /// Few different values.
        case coarse
    }

    private func histogram(
        _ shape: Shape, count: Int, factor: Double = 1, using generator: inout SeededGenerator
    ) -> LatencyHistogram {
        var histogram = LatencyHistogram()
        for _ in 0..<count {
            let normal = generator.normal()
            let milliseconds: Double
            switch shape {
            case .narrow: milliseconds = 20 * max(0.1, 1 + 0.15 * normal)
            case .wide:
                milliseconds = 20 * max(0.05, 1 + 0.15 * normal) * Double(1 << generator.below(5))
            case .twoPeaks: milliseconds = (generator.below(2) == 0 ? 1 : 50) * max(0.1, 1 + 0.2 * normal)
            case .coarse: milliseconds = [1, 1, 1, 2, 2, 4][generator.below(6)]
            }
            histogram.record(nanoseconds: Int64(milliseconds * factor * 1e6))
        }
        return histogram
    }

    /// How often something holds in that many pairs of runs.
    private func share(
        of pairs: Int, _ shape: Shape, _ first: Int, _ second: Int, factor: Double = 1, seed: UInt64 = 1,
        _ holds: (LatencyComparison) -> Bool
    ) -> Double {
        var generator = SeededGenerator(seed: seed)
        let count = (0..<pairs).count { _ in
            let before = histogram(shape, count: first, using: &generator)
            let after = histogram(shape, count: second, factor: factor, using: &generator)
            return holds(LatencyComparison(before: before, after: after))
        }
        return Double(count) / Double(pairs)
    }

    /// A share, and three standard deviations above it in that many cases.
    private func most(of share: Double, in count: Int) -> Double {
        share + 3 * (share * (1 - share) / Double(count)).squareRoot()
    }

    private static let sizes = [(5, 5), (5, 40), (8, 8), (20, 20), (30, 120)]

    @Test("alike runs are said to differ in no more than the nominal share of cases", arguments: Shape.allCases)
    func falsePositives(shape: Shape) {
        for (index, (first, second)) in Self.sizes.enumerated() {
            let pairs = Rounds.few(300, all: 1_000)
            var (below5, below1, claims) = (0, 0, 0)
            _ = share(of: pairs, shape, first, second, seed: UInt64(index)) { comparison in
                let finding = comparison.finding(correctedChance: comparison.chance)
                below5 += comparison.chance <= 0.05 ? 1 : 0
                below1 += comparison.chance <= 0.01 ? 1 : 0
                claims += finding == .slower || finding == .faster ? 1 : 0
                return true
            }
            #expect(Double(below5) <= Double(pairs) * most(of: 0.05, in: pairs), "\(first) and \(second)")
            #expect(Double(below1) <= Double(pairs) * most(of: 0.01, in: pairs), "\(first) and \(second)")
            #expect(claims <= below5, "\(first) and \(second)")
        }
    }

    @Test("the interval holds the true ratio in at least 95 % of cases", arguments: [1, 0.7, 1.3, 3.0])
    func coverage(factor: Double) {
        for shape in [Shape.narrow, .wide, .twoPeaks] {
            for (first, second) in [(8, 8), (20, 20), (40, 100)] {
                let pairs = Rounds.few(130, all: 400)
                let rate = share(of: pairs, shape, first, second, factor: factor) {
                    $0.interval?.contains(factor) == true
                }
                #expect(1 - rate <= most(of: 0.05, in: pairs), "\(shape) \(first) \(second)")
            }
        }
    }

    @Test("real differences are found, in their direction and of their size")
    func power() {
        func found(_ shape: Shape, _ count: Int, _ factor: Double, _ finding: LatencyComparison.Finding) -> Double {
            share(of: 200, shape, count, count, factor: factor) {
                $0.finding(correctedChance: $0.chance) == finding
            }
        }
        #expect(found(.narrow, 30, 1.2, .slower) > 0.9)
        #expect(found(.narrow, 30, 1 / 1.2, .faster) > 0.9)
        #expect(found(.narrow, 30, 1.2, .faster) == 0)
        #expect(found(.narrow, 8, 2, .slower) > 0.99)
        #expect(found(.wide, 100, 2, .slower) > 0.95)
        #expect(found(.twoPeaks, 400, 1.3, .slower) > 0.5)
        let near = share(of: 200, .narrow, 100, 100, factor: 1.5) { $0.ratio.map { abs($0 - 1.5) < 0.12 } ?? false }
        #expect(near > 0.99)
    }

    @Test("of many alike APIs, none is said to differ in at least 95 % of pairs of runs")
    func manyAPIs() {
        var generator = SeededGenerator(seed: 11)
        let pairs = Rounds.few(60, all: 200)
        var wrong = 0
        for _ in 0..<pairs {
            var totals: ([TrafficTotal], [TrafficTotal]) = ([], [])
            for number in 0..<40 {
                for run in 0..<2 {
                    var sum = total(
                        api("GET", "a.example", "/\(number)"), requests: 15, up: parts(), down: parts())
                    sum.latency = histogram(.narrow, count: 15, using: &generator)
                    if run == 0 { totals.0.append(sum) } else { totals.1.append(sum) }
                }
            }
            let diff = TrafficDiff(totals.0, totals.1)
            #expect(diff.compared == 40)
            if diff.rows.contains(where: { $0.finding != .noise }) { wrong += 1 }
        }
        #expect(Double(wrong) / Double(pairs) <= most(of: 0.05, in: pairs))
    }

    @Test("the chance is that of the textbook")
    func textbook() {
        // Mann–Whitney by hand: 1…5 ms against 6…10 ms has U = 25 of 25; z = (12.5 − 0.5) / √(25 · 11 / 12) = 2.5068.
        func histogram(_ milliseconds: [Int64]) -> LatencyHistogram {
            milliseconds.reduce(into: LatencyHistogram()) { $0.record(nanoseconds: $1 * 1_000_000) }
        }
        let apart = LatencyComparison(before: histogram([1, 2, 3, 4, 5]), after: histogram([6, 7, 8, 9, 10]))
        #expect(abs(apart.chance - 0.012_18) < 0.000_05)
        // With ties: [1,1,2,2,3] against [2,3,3,4,4]: U = 22 with halves for ties; groups of ties 2, 3, 3, 2.
        let tied = LatencyComparison(before: histogram([1, 1, 2, 2, 3]), after: histogram([2, 3, 3, 4, 4]))
        // variance = 25/12 · (11 − 60/90) = 21.5278; z = (22 − 12.5 − 0.5) / 4.63981 = 1.93973
        #expect(abs(tied.chance - 0.052_41) < 0.000_05)
        let mirrored = LatencyComparison(before: histogram([2, 3, 3, 4, 4]), after: histogram([1, 1, 2, 2, 3]))
        #expect(mirrored.chance == tied.chance)
    }

    @Test("Holm's procedure corrects for how many there are")
    func holm() {
        #expect(
            LatencyComparison.corrected([0.01, 0.04, 0.03, 0.005]).map { ($0 * 1_000).rounded() } == [30, 60, 60, 20])
        #expect(LatencyComparison.corrected([0.9, 0.8]) == [1, 1])
        #expect(LatencyComparison.corrected([]).isEmpty)
    }

    @Test("few durations, all the same, and durations of nothing allow no claim")
    func edges() {
        func same(_ nanoseconds: Int64, _ count: Int) -> LatencyHistogram {
            (0..<count).reduce(into: LatencyHistogram()) { histogram, _ in histogram.record(nanoseconds: nanoseconds) }
        }
        let few = LatencyComparison(before: same(1_000, 4), after: same(9_000, 1_000))
        #expect(few.finding(correctedChance: few.chance) == .tooFew)
        let alike = LatencyComparison(before: same(1_000, 50), after: same(1_000, 50))
        #expect(alike.finding(correctedChance: alike.chance) == .noise)
        #expect(alike.interval?.contains(1) == true)
        let nothing = LatencyComparison(before: same(0, 50), after: same(0, 50))
        #expect(nothing.finding(correctedChance: nothing.chance) == .noise)
        let zeros = LatencyComparison(before: same(0, 50), after: same(1_000, 50))
        #expect(zeros.ratio == nil)
        #expect(zeros.finding(correctedChance: zeros.chance) == .noise)
        // Less apart than a bucket is wide, however many there are.
        let close = LatencyComparison(before: same(1_000_000, 5_000), after: same(1_010_000, 5_000))
        #expect(close.finding(correctedChance: close.chance) == .noise)
        let empty = LatencyComparison(before: LatencyHistogram(), after: LatencyHistogram())
        #expect(empty.finding(correctedChance: 0) == .tooFew)
    }
}

extension SeededGenerator {
    /// About normal: four even numbers added up, out of one.
    fileprivate mutating func normal() -> Double {
        let bits = next()
        let sum = (bits & 0xFFFF) &+ (bits >> 16 & 0xFFFF) &+ (bits >> 32 & 0xFFFF) &+ (bits >> 48)
        return (Double(sum) / 65_536 - 2) * 3.0.squareRoot()
    }

    /// An even number below a small limit.
    fileprivate mutating func below(_ limit: UInt64) -> Int { Int((next() >> 32) % limit) }
}
