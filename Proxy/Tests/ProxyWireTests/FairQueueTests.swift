import ProxyWire
import Testing

@Suite("The work of clients")
struct FairQueueTests {
    @Test("one client takes its share of the workers and no more, and what waits begins in order")
    func share() {
        var queue = FairQueue<String, Int>(workers: 3, share: 2)
        #expect((1...4).map { queue.add($0, of: "a") } == [1, 2, nil, nil])
        #expect(queue.add(5, of: "b") == 5)
        #expect(queue.add(6, of: "b") == nil && queue.add(7, of: "c") == nil)
        // All workers are busy; of those that wait, "a" came first and is below its share again.
        #expect(queue.end(of: "a").map { [$0.work] } == [3])
        // "a" is at its share: "b" is next.
        #expect(queue.end(of: "b").map { [$0.work] } == [6])
        #expect(queue.end(of: "a").map { [$0.work] } == [4])
        #expect(queue.end(of: "a").map { [$0.work] } == [7])
        for client in ["a", "b", "c"] { #expect(queue.end(of: client) == nil) }
        #expect((8...10).map { queue.add($0, of: "d") } == [8, 9, nil])
    }

    @Test("work never stops while a worker is free for it")
    func noneIsLeft() {
        for seed in 0..<200 as Range<UInt64> {
            var random = Seeded(seed)
            var queue = FairQueue<Int, Int>(workers: 3, share: 2)
            var running: [(client: Int, work: Int)] = []
            var done = 0
            for work in 0..<60 {
                let client = Int.random(in: 0..<4, using: &random)
                if queue.add(work, of: client) != nil { running.append((client, work)) }
                if Bool.random(using: &random), !running.isEmpty {
                    let ended = running.remove(at: Int.random(in: 0..<running.count, using: &random))
                    done += 1
                    if let next = queue.end(of: ended.client) { running.append(next) }
                }
                #expect(running.count <= 3)
                for client in 0..<4 { #expect(running.count { $0.client == client } <= 2) }
            }
            while let ended = running.popLast() {
                done += 1
                if let next = queue.end(of: ended.client) { running.append(next) }
            }
            #expect(done == 60)
        }
    }
}

/// Random numbers that are the same in each run (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
