import Testing
import TextFormats
import TrafficModel

@testable import TrafficAudit

@Suite("Slow phases")
struct SlowPhaseTests {
    /// The rules with their phases and limits in milliseconds.
    static let phases: [(rule: String, phase: any WritableKeyPath<ExchangeTimings, Int64?> & Sendable, limit: Int64)] =
        [
            ("slow-dns", \.dns, 100), ("slow-connect", \.connect, 200), ("slow-tls", \.tls, 400),
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

@Suite("Slow phases of a host")
struct SlowHostTests {
    private func calls(
        _ count: Int64, to hosts: [String] = ["http://api.test"], connect: Int64 = 1_000_000_000,
        dns: Int64? = nil, tls: Int64? = nil
    ) -> [Exchange] {
        (0..<count).map {
            call(
                $0 + 1, at: Double($0), "GET", "\(hosts[Int($0) % hosts.count])/s\($0)", milliseconds: 1_250,
                timings: ExchangeTimings(dns: dns, connect: connect, tls: tls), opened: true)
        }
    }

    @Test("connections to one host are judged together, whatever they carry")
    func connect() throws {
        let finding = try #require(try findings("slow-connect", in: calls(4)).first)
        #expect(finding.key == TrafficTotal.Key(host: "api.test"))
        #expect(finding.nanoseconds == 4 * 800_000_000)
        #expect(finding.affectedCalls == 4)
        #expect(
            finding.problem == "The TCP handshake took more than 200.0 ms, 1.0 s on average, in 4 of 4 cases; "
                + "it is 80.0 % of all the time of the calls to this host.")
    }

    @Test("TLS handshakes are, too")
    func tls() throws {
        let found = try findings("slow-tls", in: calls(3, to: ["https://api.test"], tls: 900_000_000))
        #expect(found.map(\.key) == [TrafficTotal.Key(host: "api.test")])
    }

    @Test("a server's time is a matter of its API")
    func server() throws {
        let spread = (1...4).map {
            call($0, at: Double($0), "GET", "http://api.test/s\($0)", timings: ExchangeTimings(wait: 2_000_000_000))
        }
        #expect(try findings("slow-server", in: spread).isEmpty)
    }

    @Test("two slow handshakes may be chance, three are not, and a tenth of them is fine", arguments: [(2, 0), (3, 1)])
    func boundary(_ count: Int64, _ found: Int) throws {
        #expect(try findings("slow-connect", in: calls(count)).count == found)
        let fast = (100..<130).map {
            call($0, at: Double($0), "GET", "http://api.test/f\($0)", timings: ExchangeTimings(connect: 1_000_000))
        }
        #expect(try findings("slow-connect", in: calls(count) + fast).isEmpty)
    }

    @Test("handshakes of different hosts are not added up")
    func otherHosts() throws {
        #expect(try findings("slow-connect", in: calls(4, to: ["http://a.test", "http://b.test"])).isEmpty)
    }

    @Test("a name is looked up for all its ports")
    func names() throws {
        let found = try findings(
            "slow-dns",
            in: calls(3, to: ["http://api.test:1", "http://api.test:2", "https://api.test"], dns: 300_000_000))
        #expect(found.map(\.key) == [TrafficTotal.Key(host: "api.test")])
        #expect(found.first?.affectedCalls == 3)
    }

    @Test(
        "a proxy is looked up and connected to in place of the host",
        arguments: ["slow-dns", "slow-connect", "slow-tls"])
    func proxies(_ rule: String) throws {
        func found(
            _ url: String, method: String = "GET", sent: [String] = [], peer: String? = nil
        ) throws -> Bool {
            let slow: Int64 = 900_000_000
            let calls = (1...4).map {
                call(
                    $0, at: Double($0), method, url, sent: sent, milliseconds: 3_000,
                    timings: ExchangeTimings(dns: slow, connect: slow, tls: slow), opened: true, peer: peer)
            }
            return try !findings(rule, in: calls).isEmpty
        }
        #expect(try found("https://api.test/a"))
        #expect(try found("http://api.test:81/a", peer: "[2001:db8::1]:81"))
        // Without a port nothing is known of it.
        #expect(try found("http://api.test/a", peer: "2001:db8::1"))
        #expect(try found("http://api.test/a", peer: ""))
        #expect(try !found("http://api.test/a", peer: "10.0.0.9:3128"))
        #expect(try !found("http://api.test/a", peer: "[2001:db8::1]:3128"))
        #expect(try !found("http://api.test/a", sent: ["Proxy-Connection: Keep-Alive"]))
        #expect(try !found("http://api.test/a", sent: ["Proxy-Authorization: Basic eA=="]))
        #expect(try !found("https://api.test/a", method: "CONNECT"))
        // In the tunnel TLS is the host's.
        #expect(try found("https://api.test/a", peer: "10.0.0.9:3128") == (rule == "slow-tls"))
    }

    @Test("figures are scaled by the calls to the host")
    func scaled() throws {
        let finding = try #require(try findings("slow-connect", in: calls(4), thinning: 10).first)
        #expect(finding.calls == 40)
        #expect(finding.nanoseconds == 40 * 800_000_000)
    }

    @Test(
        "each phase names what helps",
        arguments: [
            ("slow-dns", ["caching resolver", "TTL", "DNS prefetch", "connect by address"]),
            ("slow-connect", ["preconnect", "HTTP/2", "region or CDN", "Keep connections open"]),
            ("slow-tls", ["Resume sessions", "TLS 1.3", "short certificate chain", "HTTP/2"]),
        ])
    func remedies(_ rule: String, _ words: [String]) throws {
        let calls = calls(3, to: ["https://api.test"], dns: 900_000_000, tls: 900_000_000)
        let remedy = try #require(try findings(rule, in: calls).first).remedy
        for word in words { #expect(remedy.contains(word)) }
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

    @Test("a server that closes connections is reported")
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
