import Testing
import TrafficModel

@testable import TrafficShipping

@Suite struct ShippingScheduleTests {
    private let now = Timestamp(nanoseconds: 1_000_000_000_000)

    private func pause(_ action: ShippingSchedule.Action) -> Double? {
        guard case .wait(let time) = action else { return nil }
        return Double(time.nanoseconds - now.nanoseconds) / 1e9
    }

    @Test("What is accepted, too large or refused is dealt with at once, and ends a row of failures")
    func atOnce() {
        for (outcome, action) in [
            (.accepted, .acknowledge), (.tooLarge, .halve), (.refused, .setAside),
        ] as [(ShippingSchedule.Outcome, ShippingSchedule.Action)] {
            var schedule = ShippingSchedule(mostAttempts: 3)
            _ = schedule.take(.later(after: nil), now: now, random: 0)
            #expect(schedule.failures == 1)
            #expect(schedule.take(outcome, now: now, random: 0) == action)
            #expect(schedule.failures == 0)
        }
    }

    @Test("Pauses double up to five minutes, and half of each is chance")
    func pauses() {
        for (random, expected) in [(0.0, [0.5, 1, 2, 4]), (1.0, [1, 2, 4, 8]), (0.5, [0.75, 1.5, 3, 6])] {
            var schedule = ShippingSchedule(mostAttempts: nil)
            let pauses = (0..<4).map { _ in
                pause(schedule.take(.later(after: nil), now: now, random: random)) ?? -1
            }
            #expect(pauses == expected)
            for _ in 0..<100 {
                let pause = pause(schedule.take(.later(after: nil), now: now, random: random)) ?? -1
                #expect((0...300).contains(pause))
            }
            #expect(pause(schedule.take(.later(after: nil), now: now, random: random)) ?? -1 >= 150)
        }
    }

    @Test("A server's own pause is kept, up to an hour")
    func requested() {
        for (seconds, expected) in [(0, 0.5), (40, 40.0), (100_000, 3_600), (-5, 0.5)] {
            var schedule = ShippingSchedule(mostAttempts: nil)
            #expect(pause(schedule.take(.later(after: seconds), now: now, random: 0)) == expected)
        }
    }

    @Test("It gives up after the last attempt, at once if nothing will be accepted, and never if it follows")
    func end() {
        var schedule = ShippingSchedule(mostAttempts: 3)
        #expect(pause(schedule.take(.later(after: nil), now: now, random: 0)) != nil)
        #expect(pause(schedule.take(.later(after: nil), now: now, random: 0)) != nil)
        #expect(schedule.take(.later(after: nil), now: now, random: 0) == .stop)
        var once = ShippingSchedule(mostAttempts: 3)
        #expect(once.take(.blocked, now: now, random: 0) == .stop)
        var following = ShippingSchedule(mostAttempts: nil)
        for _ in 0..<1_000 { #expect(pause(following.take(.blocked, now: now, random: 0)) != nil) }
    }

    @Test("A budget holds in each hour, and lets the first batch of an hour through whatever its size")
    func budget() {
        let hour: Int64 = 3_600_000_000_000
        let now = Timestamp(nanoseconds: 10 * hour + 5)
        func start(_ bytes: Int, after sent: Int64, in hour: Int64, _ budget: Int64?) -> Int64? {
            ShippingSchedule.start(of: bytes, after: sent, in: hour, budget: budget, now: now)?.nanoseconds
        }
        #expect(start(10, after: 95, in: 10, nil) == nil)
        #expect(start(10, after: 90, in: 10, 100) == nil)
        #expect(start(11, after: 90, in: 10, 100) == 11 * hour)
        #expect(start(11, after: 90, in: 9, 100) == nil)
        #expect(start(500, after: 0, in: 10, 100) == nil)
    }
}
