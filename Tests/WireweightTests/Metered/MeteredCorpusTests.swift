import Foundation
import Testing
import TrafficModel
import TrafficStore
import Wireweight
import WireweightTesting

/// The corpus under the meter: difference 0, part by part, and nothing changed for the program.
@Suite("The corpus, metered", .serialized)
struct MeteredCorpusTests {
    @Test("URLSession: each part of each exchange is what the origin logged, and the program sees no difference")
    func urlSession() async throws {
        let entries = Corpus.entries.filter { $0.corpusCase.effectiveDrivers.contains(.urlSession) }
        let plain = try await Passage.urlSession(entries, metered: nil)
        let file = TemporaryFile()
        let metered = try await Passage.urlSession(entries, metered: file.path)
        try checkSizes(metered, file.path)
        checkNothingChanged(plain, metered)
    }

    @Test(
        "curl: each part of each exchange is what the origin logged, and the program sees no difference",
        .enabled(if: Tool.path(of: "curl") != nil))
    func curl() async throws {
        let entries = Corpus.entries.filter { $0.corpusCase.effectiveDrivers.contains(.curl) }
        let plain = try Passage.curl(entries, prefix: [])
        let file = TemporaryFile()
        let metered = try Passage.curl(entries, prefix: try BuiltCommand.run(storing: file.path))
        try checkSizes(metered, file.path)
        checkNothingChanged(plain, metered)
    }

    private func checkSizes(_ passage: Passage, _ path: String) throws {
        let reading = try StoreReader.open(path)
        var rows: [Exchange] = []
        try reading.forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) {
            rows.append($0)
            return true
        }
        #expect(try reading.overview().losses == [])
        #expect(rows.allSatisfy { $0.end != nil })
        let comparison = Comparison(
            rows: rows, connections: try reading.connections(), origin: passage.connections.flatMap(\.exchanges))
        for difference in comparison.differences { Issue.record("\(difference)") }
        #expect(comparison.exchanges >= 90)
        print("corpus: \(comparison.exchanges) exchanges, \(comparison.exact) exact in each part, \(comparison.cut) cut")
    }

    private func checkNothingChanged(_ plain: Passage, _ metered: Passage) {
        #expect(plain.results.count == metered.results.count)
        for (entry, results) in plain.results {
            let other = metered.results[entry] ?? []
            if results != other { Issue.record("\(entry): \(results) without the meter, \(other) with it") }
        }
        let (before, after) = (plain.requests, metered.requests)
        for target in Set(before.keys).union(after.keys).sorted() where before[target] != after[target] {
            Issue.record("\(target): the origin saw \(before[target] ?? []) without the meter, \(after[target] ?? []) with it")
        }
        #expect(plain.connections.count == metered.connections.count)
    }
}
