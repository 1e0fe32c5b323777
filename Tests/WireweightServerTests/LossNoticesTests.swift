import Testing
import TrafficModel

@testable import WireweightServer

@Suite("Notices of losses")
struct LossNoticesTests {
    private let start = ContinuousClock.now

    private func notice(_ reason: TrafficLoss.Reason, _ count: Int64, of sum: Int64) -> LossNotices.Notice {
        .init(loss: TrafficLoss(reason: reason, count: count), sum: sum)
    }

    @Test("the first loss is logged at once, further ones with the next minute, and none twice")
    func minutes() {
        var notices = LossNotices()
        #expect(notices.due([:], at: start) == [])
        #expect(notices.due([.untapped: 2], at: start) == [notice(.untapped, 2, of: 2)])
        #expect(notices.due([.untapped: 5], at: start + .seconds(59)) == [])
        #expect(notices.due([.untapped: 6], at: start + .seconds(60)) == [notice(.untapped, 4, of: 6)])
        #expect(notices.due([.untapped: 6], at: start + .seconds(300)) == [])
    }

    @Test("each reason has its own minute")
    func reasons() {
        var notices = LossNotices()
        _ = notices.due([.untapped: 1], at: start)
        #expect(
            notices.due([.untapped: 9, .bufferFull: 3], at: start + .seconds(1)) == [notice(.bufferFull, 3, of: 3)])
    }

    @Test("the last notice does not wait")
    func last() {
        var notices = LossNotices()
        _ = notices.due([.storeFailed: 1], at: start)
        #expect(
            notices.due([.storeFailed: 8], at: start + .seconds(1), isLast: true) == [notice(.storeFailed, 7, of: 8)])
    }
}
