import TestSupport
import Testing
import TrafficModel

@testable import FleetReading

@Suite("The ranges in which exchanges are read") struct ExchangeWindowsTests {
    @Test("have each number once and in order, however many rows they have", arguments: [7, 8, 9, 10] as [UInt64])
    func everyNumber(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for order in [ExchangeOrder.oldestFirst, .newestFirst] {
            let first = Int64.random(in: 1...1_000, using: &random)
            let last = first + Int64.random(in: 1_000...200_000, using: &random)
            let after: Int64? = Bool.random(using: &random) ? Int64.random(in: first + 1..<last, using: &random) : nil
            var windows = ExchangeWindows(first...last, order: order, after: after)
            var read: [ClosedRange<Int64>] = []
            while let next = windows?.next {
                if windows?.canShrink == true, Int.random(in: 0...3, using: &random) == 0 {
                    windows?.shrink()
                    continue
                }
                read.append(next)
                windows?.advance(rows: Int.random(in: 0...5_000, using: &random))
            }
            let isAscending = order == .oldestFirst
            let inOrder = isAscending ? read : read.reversed()
            #expect(inOrder.first?.lowerBound == (isAscending ? after.map { $0 + 1 } ?? first : first))
            #expect(inOrder.last?.upperBound == (isAscending ? last : after.map { $0 - 1 } ?? last))
            for (one, next) in zip(inOrder, inOrder.dropFirst()) { #expect(one.upperBound + 1 == next.lowerBound) }
        }
    }

    @Test("grow where there are few rows, and shrink where there are many")
    func lengths() throws {
        var windows = try #require(ExchangeWindows(1...1_000_000, order: .oldestFirst, after: nil))
        #expect(windows.next == 1...500)
        windows.advance(rows: 0)
        #expect(windows.next == 501...1_500)
        windows.advance(rows: 10_000)
        #expect(windows.next == 1_501...2_000)
        windows.shrink()
        #expect(windows.next == 1_501...1_625)
        #expect(ExchangeWindows(nil, order: .oldestFirst, after: nil) == nil)
        #expect(ExchangeWindows(3...9, order: .oldestFirst, after: 9) == nil)
        #expect(ExchangeWindows(3...9, order: .newestFirst, after: 3) == nil)
    }
}
