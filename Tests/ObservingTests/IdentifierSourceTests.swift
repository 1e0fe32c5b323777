import Observing
import Testing
import TrafficModel

@Suite struct IdentifierSourceTests {
    @Test func numbersAreUniqueAcrossThreads() async {
        let source = IdentifierSource()
        let all = await withTaskGroup(of: [Int64].self) { group in
            for _ in 0..<8 {
                group.addTask { (0..<2_000).map { _ in source.nextExchange().rawValue } }
            }
            return await group.reduce(into: Set<Int64>()) { $0.formUnion($1) }
        }
        #expect(all == Set(1...16_000))
        #expect(source.nextConnection().rawValue == 1)
    }

    @Test func aMeterThatRunsOutOfNumbersDoesNotEndItsProgram() {
        let source = IdentifierSource(afterExchange: .max - 1, connection: .max)
        #expect(source.nextExchange().rawValue == .max)
        #expect(source.nextExchange().rawValue == .min)
        #expect(source.nextConnection().rawValue == .min)
    }
}
