import TestSupport
import Testing

@testable import TrafficStore

@Suite struct ReadCacheTests {
    @Test("What is found under a number is what was kept last under it", arguments: [20, 4_096, 1 << 40])
    func matches(numbers: Int64) {
        var generator = SeededGenerator(seed: 4)
        var cache = ReadCache<String>()
        var kept: [Int64: String] = [:]
        for round in 0..<20_000 {
            let id = Int64.random(in: -2...numbers, using: &generator)
            if let found = cache[id] { #expect(found == kept[id]) }
            kept[id] = "\(round)"
            cache[id] = kept[id]
            #expect(cache[id] == kept[id])
            if round % 7 == 0 {
                cache[id] = nil
                #expect(cache[id] == nil)
            }
        }
    }

    @Test("Numbers that follow one another all stay, up to 4,096 of them")
    func dense() {
        var cache = ReadCache<Int64>()
        for id in 1...4_096 as ClosedRange<Int64> { cache[id] = id }
        #expect((1...4_096 as ClosedRange<Int64>).allSatisfy { cache[$0] == $0 })
        cache[4_097] = 4_097
        #expect(cache[1] == nil)
        #expect(cache[2] == 2)
        cache.removeAll()
        #expect(cache[2] == nil)
    }
}
