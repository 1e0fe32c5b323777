import Foundation
import PassiveHTTP
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

/// What the origin has logged of its connections, fed to the passive reader: it must say what the origin counted.
@Suite("The corpus, read from bytes", .serialized, .oneAtATime)
struct PassiveCorpusTests {
    /// How the bytes of a connection are handed over.
    enum Split: CaseIterable {
        case whole, single, random

        func pieces(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [ArraySlice<UInt8>] {
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count =
                    switch self {
                    case .whole: rest.count
                    case .single: 1
                    case .random: Int.random(in: 1...3_000, using: &random)
                    }
                pieces.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            return pieces
        }
    }

    @Test("curl: each part of each message, in any split", .enabled(if: Tool.path(of: "curl") != nil))
    func curl() throws {
        let (origin, closed) = (Corpus.origin(keptBytes: 4_194_304), try ClosedPort())
        try origin.start()
        defer { origin.stop() }
        let driver = CurlDriver(address: origin.address, closedAddress: "http://127.0.0.1:\(closed.number)")
        for entry in Corpus.entries where entry.corpusCase.effectiveDrivers.contains(.curl) {
            _ = try driver.run(entry)
        }
        try check(origin, Split.allCases, atLeast: 90)
    }

    @Test("URLSession: each part of each message")
    func urlSession() async throws {
        let (origin, closed) = (Corpus.origin(keptBytes: 4_194_304), try ClosedPort())
        try origin.start()
        defer { origin.stop() }
        let driver = URLSessionDriver(
            origin: origin, address: origin.address, closedAddress: "http://127.0.0.1:\(closed.number)")
        for entry in Corpus.entries where entry.corpusCase.effectiveDrivers.contains(.urlSession) {
            _ = try await driver.run(entry)
        }
        try check(origin, [.random], atLeast: 60)
    }

    @Test("inside TLS: each part of each message", .enabled(if: CorpusTests.identity != nil))
    func overTLS() async throws {
        let origin = Corpus.origin(keptBytes: 4_194_304)
        try origin.start()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: .tls13, identity: CorpusTests.identity)
        defer { front.stop() }
        let curl = CurlDriver(address: front.address, closedAddress: "", certificateFile: front.certificateFile)
        let session = URLSessionDriver(origin: origin, address: front.address, closedAddress: "")
        for entry in Corpus.entries where entry.corpusCase.worksOverTLS {
            if entry.corpusCase.effectiveDrivers.contains(.curl) { _ = try curl.run(entry) }
            if entry.corpusCase.effectiveDrivers.contains(.urlSession) { _ = try await session.run(entry) }
        }
        try check(origin, [.random], atLeast: 120)
    }

    private func check(_ origin: LoopbackOrigin, _ splits: [Split], atLeast least: Int) throws {
        #expect(origin.waitUntilIdle())
        var count = 0
        for connection in origin.connections {
            let exchanges = connection.exchanges
            guard exchanges.allSatisfy({ $0.requestLog.isWhole && $0.responseLog.isWhole }) else { continue }
            count += exchanges.count
            for split in splits {
                // Byte by byte, long ones only cost time.
                guard split != .single || connection.sentBytes < Rounds.few(20_000, all: 100_000) else { continue }
                check(exchanges, split)
            }
        }
        #expect(count > least, "only \(count) exchanges were kept whole")
    }

    private func check(_ exchanges: [OriginExchange], _ split: Split) {
        var reader = ConnectionReader()
        var random = SeededGenerator(seed: 1)
        var events: [ConnectionEvent] = []
        func feed(_ bytes: [UInt8], _ direction: Direction) {
            for piece in split.pieces(bytes, &random) {
                events += reader.receive(Array(piece), direction, at: Timestamp(nanoseconds: 1))
            }
        }
        for exchange in exchanges {
            feed(exchange.requestLog.kept, .up)
            feed(exchange.responseLog.kept, .down)
        }
        events += reader.end(.down, at: Timestamp(nanoseconds: 2))
        events += reader.end(.up, at: Timestamp(nanoseconds: 2))

        let requests = events.compactMap { event in
            if case .request(let request) = event { request } else { nil }
        }
        let cut = events.compactMap { event in
            if case .response(let response) = event, !response.isWhole { response.exchange } else { nil }
        }
        let ends = events.compactMap { event in
            if case .end(let end) = event { end } else { nil }
        }.sorted { $0.exchange < $1.exchange }
        #expect(requests.map(\.target) == exchanges.map(\.target))
        guard ends.count == exchanges.count else {
            Issue.record("\(split): \(ends.count) ends of \(exchanges)")
            return
        }
        for (end, exchange) in zip(ends, exchanges) {
            if end.request.size != exchange.request.wireSize {
                Issue.record("\(split), \(exchange): sent \(end.request.size), not \(exchange.request)")
            }
            let received = end.response?.size ?? .nothing
            // The case whose header section is cut has one part for all of it.
            let isCut = cut.contains(end.exchange) && received.total == exchange.response.wireSize.total
            if received != exchange.response.wireSize, !isCut {
                Issue.record("\(split), \(exchange): received \(received), not \(exchange.response)")
            }
        }
    }
}
