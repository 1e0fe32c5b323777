import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore
import Wireweight
import WireweightTesting

/// The corpus under the meter: difference 0, part by part, and nothing changed for the program.
@Suite("The corpus, metered", .serialized, .oneAtATime)
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

    @Test(
        "both over TLS: the tap sits above it and sees the same bytes", .enabled(if: CorpusTests.identity != nil),
        arguments: TLSFront.Version.allCases)
    func overTLS(version: TLSFront.Version) async throws {
        let security = Passage.Security(version: version, identity: try #require(CorpusTests.identity))
        let entries = Corpus.entries.filter(\.corpusCase.worksOverTLS)
        let ofSession = entries.filter { $0.corpusCase.effectiveDrivers.contains(.urlSession) }
        let ofCurl = entries.filter { $0.corpusCase.effectiveDrivers.contains(.curl) }
        let files = (session: TemporaryFile(), curl: TemporaryFile())
        let session = try await Passage.urlSession(ofSession, metered: files.session.path, over: security)
        try checkSizes(session, files.session.path, isTLS: true)
        let prefix = try BuiltCommand.run(storing: files.curl.path)
        try checkSizes(try Passage.curl(ofCurl, prefix: prefix, over: security), files.curl.path, isTLS: true)
    }

    private func checkSizes(_ passage: Passage, _ path: String, isTLS: Bool = false) throws {
        let reading = try StoreReader.open(path)
        var rows: [StoredExchange] = []
        try reading.forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) {
            rows.append($0)
            return true
        }
        #expect(try reading.overview().losses == [])
        #expect(rows.allSatisfy { $0.end != nil })
        for row in rows { #expect(row.records.timeFaults == [], "\(row.request.url)") }
        // What was sent says when, and what was not does not.
        #expect(rows.allSatisfy { ($0.request.sentAt != nil) == ($0.request.size.known > 0) })
        let comparison = Comparison(
            rows: rows, connections: try reading.connections(), origin: passage.connections.flatMap(\.exchanges),
            isTLS: isTLS)
        for difference in comparison.differences { Issue.record("\(difference)") }
        try checkLedgers(try reading.connections(), of: rows, isTLS: isTLS)
        #expect(comparison.exchanges >= 90)
        #expect(comparison.estimated <= 1)
        print(
            "corpus: \(comparison.exchanges) exchanges, \(comparison.exact) exact in each part, \(comparison.cut) cut "
                + "and as the kernel counts, \(comparison.estimated) estimated")
    }

    /// Each byte that the kernel counted is a message's, or TLS's.
    ///
    /// Where a response was cut over TLS, libcurl has taken bytes that it did not show, and they are unaccounted for.
    private func checkLedgers(_ connections: [StoredConnection], of rows: [StoredExchange], isTLS: Bool) throws {
        #expect(!connections.isEmpty)
        let cut = Set(
            rows.filter { $0.end?.outcome != .completed || $0.response?.size.evidence == .reconstructed }
                .compactMap(\.connection))
        for connection in connections {
            guard let ledger = connection.ledger else {
                Issue.record("there is no count of \(connection)")
                continue
            }
            if isTLS, cut.contains(connection.id) {
                #expect(ledger.up.unaccounted == 0 && ledger.down.unaccounted >= 0, "\(connection): \(ledger)")
            } else {
                #expect(ledger.isClosed, "\(connection): \(ledger)")
            }
            #expect(ledger.evidence == (isTLS ? .reported : .captured))
            if !isTLS { #expect(ledger.up.overhead == 0 && ledger.down.overhead == 0) }
        }
    }

    private func checkNothingChanged(_ plain: Passage, _ metered: Passage) {
        #expect(plain.results.count == metered.results.count)
        // How much of a body a program sees before it takes the request back is up to timing.
        let cancelled = Set(Corpus.entries.filter { $0.corpusCase.cancel != nil }.map(\.path))
        let racing = Set(Corpus.entries.filter(\.corpusCase.hasRacingErrors).map(\.path))
        func comparable(_ results: [DrivenResult], _ entry: String) -> [DrivenResult] {
            if racing.contains(entry) { return results.map { DrivenResult(status: $0.status, outcome: $0.outcome) } }
            guard cancelled.contains(entry) else { return results }
            return results.map { result in
                var result = result
                result.setBody(Data())
                result.events.removeAll { $0 == "data" }
                return result
            }
        }
        for entry in plain.results.keys.sorted() {
            let results = comparable(plain.results[entry] ?? [], entry)
            let other = comparable(metered.results[entry] ?? [], entry)
            if results != other { Issue.record("\(entry): \(results) without the meter, \(other) with it") }
        }
        let (before, after) = (plain.requests, metered.requests)
        for target in Set(before.keys).union(after.keys).sorted() where before[target] != after[target] {
            Issue.record(
                "\(target): the origin saw \(before[target] ?? []) without the meter, \(after[target] ?? []) with it")
        }
        #expect(plain.connectionCount == metered.connectionCount)
    }
}
