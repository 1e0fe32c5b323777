import Testing

@testable import TrafficModel

@Suite struct PhaseLatenciesTests {
    @Test("each phase of an exchange has its histogram, in the same place, and what is left has one, too")
    func places() {
        let phases: [(name: String, path: WritableKeyPath<ExchangeTimings, Int64?>)] = [
            ("queue", \.queue), ("dns", \.dns), ("connect", \.connect), ("tls", \.tls), ("send", \.send),
            ("wait", \.wait), ("receive", \.receive),
        ]
        for (place, phase) in phases.enumerated() {
            var timings = ExchangeTimings()
            timings[keyPath: phase.path] = 1_000_000
            #expect(timings.named.firstIndex { $0.duration != nil } == place)
            var latencies = PhaseLatencies()
            latencies.record(timings)
            #expect(latencies.named.map(\.histogram.count) == (0..<8).map { $0 == place ? 1 : 0 }, "\(phase.name)")
        }
        var latencies = PhaseLatencies()
        latencies.record(ExchangeTimings(wait: 2, total: 7))
        latencies.record(ExchangeTimings(wait: 7, total: 7))
        // What closes without a rest has none.
        #expect(latencies.named.map(\.histogram.count) == [0, 0, 0, 0, 0, 2, 0, 1])
        #expect(latencies.named.map(\.name) == ExchangeTimings().named.map(\.name))
        var both = latencies
        both.merge(latencies)
        #expect(both.named.map(\.histogram.count) == [0, 0, 0, 0, 0, 4, 0, 2])
    }
}
