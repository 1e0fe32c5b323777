import Foundation
import TestSupport
import Testing
import WireweightTesting

/// The corpus by itself, without a meter: what the cases say must come of them does.
@Suite("The corpus, unmetered", .serialized, .oneAtATime)
struct CorpusTests {
    @Test("has at least 90 cases, each with a name of its own")
    func size() {
        #expect(Corpus.entries.count >= 90)
        #expect(Set(Corpus.entries.map(\.corpusCase.name)).count == Corpus.entries.count)
    }

    @Test("URLSession gets from every case what it says")
    func urlSession() async throws {
        let (origin, closed) = (Corpus.origin(), try ClosedPort())
        try origin.start()
        defer { origin.stop() }
        let driver = URLSessionDriver(
            origin: origin, address: origin.address, closedAddress: "http://127.0.0.1:\(closed.number)")
        for entry in Corpus.entries where entry.corpusCase.effectiveDrivers.contains(.urlSession) {
            trace("urlSession \(entry)")
            check(entry, .urlSession, try await driver.run(entry))
        }
        checkOrigin(origin, .urlSession)
    }

    @Test("curl gets from every case what it says", .enabled(if: Tool.path(of: "curl") != nil))
    func curl() async throws {
        let (origin, closed) = (Corpus.origin(), try ClosedPort())
        try origin.start()
        defer { origin.stop() }
        let driver = CurlDriver(address: origin.address, closedAddress: "http://127.0.0.1:\(closed.number)")
        for entry in Corpus.entries where entry.corpusCase.effectiveDrivers.contains(.curl) {
            trace("curl \(entry)")
            check(entry, .curl, try driver.run(entry))
        }
        checkOrigin(origin, .curl)
    }

    /// A folder with `certificate.pem` and `key.pem`; the system's bundle must have the certificate, too.
    ///
    /// That is for URLSession's sake, which trusts nothing else. A mount namespace spares the machine the change:
    /// `unshare -rm sh -c 'mount --bind BUNDLE /etc/ssl/certs/ca-certificates.crt && CORPUS_TLS=FOLDER swift test …'`.
    static let identity = ProcessInfo.processInfo.environment["CORPUS_TLS"].map { URL(fileURLWithPath: $0) }

    @Test("both get the same over TLS", .enabled(if: identity != nil), arguments: TLSFront.Version.allCases)
    func overTLS(version: TLSFront.Version) async throws {
        let origin = Corpus.origin()
        try origin.start()
        defer { origin.stop() }
        let front = try TLSFront(originPort: origin.port, version: version, identity: Self.identity)
        defer { front.stop() }
        let curl = CurlDriver(address: front.address, closedAddress: "", certificateFile: front.certificateFile)
        let session = URLSessionDriver(origin: origin, address: front.address, closedAddress: "")
        for entry in Corpus.entries where entry.corpusCase.worksOverTLS {
            trace("\(version) \(entry)")
            if entry.corpusCase.effectiveDrivers.contains(.curl) { check(entry, .curl, try curl.run(entry)) }
            if entry.corpusCase.effectiveDrivers.contains(.urlSession) {
                check(entry, .urlSession, try await session.run(entry))
            }
        }
        #expect(origin.waitUntilIdle())
    }

    private func trace(_ text: String) {
        // When a case ends the process, this says which one it was.
        guard ProcessInfo.processInfo.environment["CORPUS_TRACE"] != nil else { return }
        FileHandle.standardError.write(Data("\(Date().timeIntervalSince1970) \(text)\n".utf8))
    }

    private func check(_ entry: Corpus.Entry, _ driver: CorpusCase.Drivers, _ results: [DrivenResult]) {
        #expect(results.count == entry.corpusCase.copies, "\(entry)")
        for result in results where result.outcome != entry.corpusCase.outcome(for: driver) {
            Issue.record("\(entry): \(result), not \(entry.corpusCase.outcome(for: driver))")
        }
    }

    /// The origin must have seen each case as often as it says, and its counts must be whole.
    private func checkOrigin(_ origin: LoopbackOrigin, _ driver: CorpusCase.Drivers) {
        #expect(
            origin.waitUntilIdle(), "\(origin.connections.filter { !$0.isIdle }.flatMap(\.exchanges).map(\.target))")
        let connections = origin.connections
        let byPath = Dictionary(grouping: origin.exchanges) { Corpus.path(ofTarget: $0.target) }
        for entry in Corpus.entries where entry.corpusCase.effectiveDrivers.contains(driver) {
            let expected = entry.corpusCase.hops * entry.corpusCase.copies
            let seen = byPath[entry.path]?.count ?? 0
            if seen != expected { Issue.record("\(entry): the origin saw \(seen) requests, not \(expected)") }
        }
        for connection in connections {
            #expect(
                connection.receivedBytes
                    == connection.exchanges.reduce(connection.strayBytes) { $0 + $1.request.total })
            #expect(connection.sentBytes == connection.exchanges.reduce(0) { $0 + $1.response.total })
        }
    }
}
