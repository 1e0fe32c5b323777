import Testing
import TrafficModel

@Suite struct ExchangeTimingsTests {
    @Test("What is in no phase is unattributed, and the phases lie end to end")
    func phases() {
        let timings = ExchangeTimings(queue: 5, dns: 10, send: 0, wait: 20, receive: 30, total: 100)
        #expect(timings.unattributed == 35)
        #expect(
            timings.phases == [
                ExchangePhase(name: "queue", offset: 0, duration: 5),
                ExchangePhase(name: "dns", offset: 5, duration: 10),
                ExchangePhase(name: "send", offset: 15, duration: 0),
                ExchangePhase(name: "wait", offset: 15, duration: 20),
                ExchangePhase(name: "receive", offset: 35, duration: 30),
                ExchangePhase(name: "unattributed", offset: 65, duration: 35),
            ])
    }

    @Test("Where only the response's own time is known, the rest lies before it")
    func rest() {
        let timings = ExchangeTimings(receive: 30, total: 100)
        #expect(timings.phases.map(\.name) == ["unattributed", "receive"])
        #expect(timings.phases.last?.offset == 70)
    }

    @Test("Unknown times are nil")
    func nothing() {
        #expect(ExchangeTimings().phases == [])
        #expect(ExchangeTimings().unattributed == nil)
        #expect(ExchangeTimings(wait: 3).phases == [ExchangePhase(name: "wait", offset: 0, duration: 3)])
        #expect(ExchangeTimings(total: 7).phases == [ExchangePhase(name: "unattributed", offset: 0, duration: 7)])
    }

    @Test("Phases that two clocks make longer than the whole are cut to it, the last ones first")
    func closing() {
        var timings = ExchangeTimings(queue: 40, dns: -3, connect: 30, wait: 50, receive: 10)
        timings.close(over: 100)
        #expect(timings == ExchangeTimings(queue: 40, dns: 0, connect: 30, wait: 30, receive: 0, total: 100))
        timings.close(over: -1)
        #expect(timings == ExchangeTimings(queue: 0, dns: 0, connect: 0, wait: 0, receive: 0, total: 0))
    }

    @Test("What is written in whole microseconds adds up as well", arguments: 0..<200)
    func microseconds(seed: Int64) throws {
        // Any numbers; each of the last digits comes up.
        func number(_ place: Int64) -> Int64? {
            (seed + place) % 5 == 0 ? nil : ((seed * 7_919 + place * 104_729) % 1_000_003)
        }
        var timings = ExchangeTimings(
            queue: number(1), dns: number(2), connect: number(3), tls: number(4), send: number(5), wait: number(6),
            receive: number(7))
        timings.total = timings.attributed + (seed % 3 == 0 ? 0 : seed * 333)
        let written = timings.inMicroseconds
        let parts = written.named.map { $0.duration ?? 0 }
        #expect(parts.allSatisfy { $0 >= 0 && $0 % 1_000 == 0 })
        #expect(parts.reduce(0, +) == written.total)
        for (part, written) in zip(timings.named, written.named) where part.duration != nil {
            #expect(abs((part.duration ?? 0) - (written.duration ?? 0)) <= 1_000)
            #expect(part.name == written.name)
        }
    }

    @Test("Numbers from a damaged file are cut, and never overflow")
    func anyNumbers() {
        let timings = ExchangeTimings(queue: .max, dns: .min, wait: .max, total: .max)
        #expect(timings.unattributed == 0)
        #expect(timings.phases.map(\.duration) == [.max, 0, .max])
        #expect(timings.inMicroseconds.dns == 0)
        #expect(ExchangeTimings(queue: 5, total: .min).unattributed == 0)
    }
}
