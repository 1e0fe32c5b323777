import Testing
import TrafficModel

@testable import TrafficReports

@Suite("Slow phases")
struct SlowPhaseTests {
    /// The rules with their phases and limits in milliseconds.
    static let phases: [(rule: String, phase: any WritableKeyPath<ExchangeTimings, Int64?> & Sendable, limit: Int64)] =
        [
            ("slow-dns", \.dns, 100), ("slow-tcp", \.connect, 200), ("slow-tls", \.tls, 400),
            ("slow-server", \.wait, 800),
        ]

    private func calls(
        _ phase: WritableKeyPath<ExchangeTimings, Int64?>, milliseconds: [Int64?], of total: Int64 = 2_000
    ) -> [Exchange] {
        milliseconds.enumerated().map { index, time in
            var timings = ExchangeTimings()
            timings[keyPath: phase] = time.map { $0 * 1_000_000 }
            return call(Int64(index + 1), at: Double(index), milliseconds: total, timings: timings)
        }
    }

    @Test("time beyond the limit could be saved, and the phase has its share of all time", arguments: 0..<4)
    func positive(_ index: Int) throws {
        let (rule, phase, limit) = Self.phases[index]
        let slow = limit + 100
        let finding = try #require(
            try findings(rule, in: calls(phase, milliseconds: [slow, slow, slow, 0], of: 4_000)).first)
        #expect(finding.nanoseconds == 300_000_000)
        #expect(finding.affectedCalls == 3)
        #expect(finding.problem.contains("3 of 4 cases"))
        #expect(finding.problem.contains("\(Units.percent(Double(3 * slow) / 16_000)) of all the time"))
    }

    @Test("single slow calls, slow calls among many, and a phase that did not happen are left alone", arguments: 0..<4)
    func negative(_ index: Int) throws {
        let (rule, phase, limit) = Self.phases[index]
        #expect(try findings(rule, in: calls(phase, milliseconds: [limit * 2, limit * 2, 1])).isEmpty)
        let among = Array(repeating: limit * 2, count: 3) + Array(repeating: 1, count: 27)
        #expect(try findings(rule, in: calls(phase, milliseconds: among)).isEmpty)
        #expect(try findings(rule, in: calls(phase, milliseconds: [nil, nil, nil])).isEmpty)
    }

    @Test("the limit itself is fine, a millisecond more is not", arguments: 0..<4)
    func boundary(_ index: Int) throws {
        let (rule, phase, limit) = Self.phases[index]
        #expect(try findings(rule, in: calls(phase, milliseconds: [limit, limit, limit])).isEmpty)
        #expect(
            try findings(rule, in: calls(phase, milliseconds: [limit + 1, limit + 1, limit + 1])).first?.nanoseconds
                == 3_000_000)
    }
}

@Suite("Connections that are not reused")
struct ConnectionsNotReusedTests {
    private let rule = "connections-not-reused"
    private let handshakes = ExchangeTimings(dns: 5_000_000, connect: 20_000_000, tls: 30_000_000)

    private func calls(
        _ count: Int64, every seconds: Double, milliseconds: Int64 = 100, got: [String] = [],
        url: String = "https://api.test/items"
    ) -> [Exchange] {
        (1...count).map {
            call(
                $0, at: Double($0) * seconds, "GET", url, got: got, milliseconds: milliseconds, timings: handshakes,
                opened: true)
        }
    }

    @Test("handshakes beside an idle connection could be saved")
    func positive() throws {
        let finding = try #require(try findings(rule, in: calls(5, every: 1)).first)
        #expect(finding.affectedCalls == 4)
        #expect(finding.nanoseconds == 4 * 55_000_000)
        #expect(finding.remedy.contains("Use one client"))
    }

    @Test("a server that closes is told of")
    func server() throws {
        let found = try findings(rule, in: calls(5, every: 1, got: ["Connection: Close"]))
        #expect(found.first?.remedy == "Let the server keep connections open.")
    }

    @Test("calls at once, calls long apart, other origins and reused connections are left alone")
    func negative() throws {
        #expect(try findings(rule, in: calls(5, every: 0.01)).isEmpty)
        #expect(try findings(rule, in: calls(5, every: 70)).isEmpty)
        let origins = (1...5).flatMap { calls(1, every: 1, url: "https://api.test:\(8_000 + $0)/items") }
        #expect(try findings(rule, in: origins).isEmpty)
        #expect(try findings(rule, in: (1...9).map { call($0, at: Double($0)) }).isEmpty)
    }

    @Test("two may be a race, three are not", arguments: [(3, 0), (4, 1)])
    func boundary(_ count: Int64, _ found: Int) throws {
        #expect(try findings(rule, in: calls(count, every: 1)).count == found)
    }

    @Test("an idle connection is expected for a minute", arguments: [(60.1, 1), (60.101, 0)])
    func keepAlive(_ seconds: Double, _ found: Int) throws {
        #expect(try findings(rule, in: calls(5, every: seconds)).count == found)
    }
}

@Suite("Many connections to one host")
struct ManyConnectionsTests {
    private let rule = "many-connections"

    private func calls(_ count: Int64, version: String = "1.1", scheme: String = "https") -> [Exchange] {
        (1...count).map {
            call(
                $0, at: Double($0) / 1_000, "GET", "\(scheme)://api.test/items/\($0)", milliseconds: 500,
                timings: ExchangeTimings(connect: 20_000_000, tls: 30_000_000), opened: true, version: version)
        }
    }

    @Test("connections that were opened because the others were busy, a finding about the host")
    func positive() throws {
        let finding = try #require(try findings(rule, in: calls(6)).first)
        #expect(finding.key == TrafficTotal.Key(host: "api.test"))
        #expect(finding.nanoseconds == 5 * 50_000_000)
        #expect(finding.problem.hasPrefix("Up to 6 connections at once"))
        #expect(finding.examinedCalls == 6)
    }

    @Test("HTTP/2, plain TCP and calls one after the other are left alone")
    func negative() throws {
        #expect(try findings(rule, in: calls(9, version: "2")).isEmpty)
        #expect(try findings(rule, in: calls(9, scheme: "http")).isEmpty)
        #expect(try findings(rule, in: (1...9).map { call($0, at: Double($0), "GET", "https://api.test/") }).isEmpty)
    }

    @Test("four at once are fine, five are not", arguments: [(4, 0), (5, 1)])
    func boundary(_ count: Int64, _ found: Int) throws {
        #expect(try findings(rule, in: calls(count)).count == found)
    }
}
