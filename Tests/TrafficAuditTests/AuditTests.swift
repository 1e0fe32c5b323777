import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficAudit

@Suite("The audit")
struct AuditTests {
    /// Two large texts, a slow server, and cookies.
    private static let untidy: [Exchange] =
        (1...10).map { call($0, at: Double($0) * 1_000, "GET", "http://api.test/big", body: 50_000) }
        + (11...20).map {
            call(
                $0, at: Double($0) * 1_000, "GET", "http://api.test/slow", milliseconds: 2_000,
                timings: ExchangeTimings(wait: 1_900_000_000))
        }
        + (21...30).map { call($0, at: Double($0) * 1_000, "GET", "http://api.test/cookies", sentCookies: 1_500) }

    @Test("findings come in the order of what they save, in bytes and time together or alone")
    func order() throws {
        func rules(_ sort: Audit.Sort) throws -> [String] {
            try Audit(of: auditStore(Self.untidy), sort: sort).findings.map(\.rule)
        }
        // 11 s; 250,000 bytes, which take 200 ms; 14,360 bytes.
        #expect(try rules(.saving) == ["slow-server", "text-without-coding", "oversized-cookies"])
        #expect(try rules(.bytes) == ["text-without-coding", "oversized-cookies", "slow-server"])
        #expect(try rules(.time) == ["slow-server", "oversized-cookies", "text-without-coding"])
    }

    @Test("the audit judges each service of a machine by itself, and takes all of them for one site")
    func services() throws {
        let exchanges = [8123, 8124, 8124].enumerated().map { number, port in
            call(Int64(number + 1), "GET", "http://127.0.0.1:\(port)/users/42", template: "/users/{id}")
        }
        var totals: [TrafficTotal] = []
        for (host, requests) in [("127.0.0.1:8123", Int64(1)), ("127.0.0.1:8124", 2)] {
            var total = TrafficTotal(key: TrafficTotal.Key(method: "GET", host: host, template: "/users/{id}"))
            total.requests = requests
            totals.append(total)
        }
        let store = FakeStore(groups: [.api: totals], exchanges: exchanges)
        #expect(try Audit(of: store, host: "127.0.0.1").examined.map(\.exchanges) == [3])
        #expect(try Audit(of: store, host: "127.0.0.1:8124").examined.map(\.exchanges) == [2])
        #expect(try Audit(of: store, host: "127.0.0.1:8124").examined.map(\.requests) == [2])
    }

    @Test("a site has no port, and an address is a site of its own")
    func sites() {
        #expect(Site.of("127.0.0.1:8123") == Site.of("127.0.0.1:8124"))
        #expect(Site.of("[::1]:8123") == Site.of("[::1]"))
        #expect(Site.of("cdn.example.com:8443") == "example.com")
        #expect(Site.host(ofURL: "http://u@[::1]:80/a") == "[::1]")
        #expect(Site.host(ofURL: "//Example.com:81/a") == "example.com")
    }

    @Test("figures are scaled to all calls of the API, and say so")
    func scaling() throws {
        let store = auditStore(Self.untidy, thinning: 40)
        let finding = try #require(try Audit(of: store, sort: .bytes).findings.first)
        #expect(finding.isScaled)
        #expect(finding.bytes == 40 * 10 * 25_000)
        #expect(finding.calls == 400)
        #expect(finding.examinedCalls == 10)
        #expect(finding.bytesPer1000Calls == 25_000_000)
        let whole = try #require(try Audit(of: auditStore(Self.untidy), sort: .bytes).findings.first)
        #expect(!whole.isScaled)
        #expect(whole.bytesPer1000Calls == 25_000_000)
    }

    @Test("the newest exchanges are looked at, as many as wanted", arguments: [(5, 5), (30, 30), (31, 30)])
    func window(_ examine: Int, _ examined: Int) throws {
        let audit = try Audit(of: auditStore(Self.untidy), examine: examine)
        #expect(audit.examined.map(\.exchanges) == [examined])
        #expect(audit.examined.map(\.requests) == [30])
        #expect(audit.examined[0].until == Self.untidy.last?.request.startedAt)
        #expect(audit.examined[0].since == Self.untidy[30 - examined].request.startedAt)
    }

    @Test("one host can be audited alone")
    func host() throws {
        let other = call(99, "GET", "http://other.test/big", body: 90_000)
        let audit = try Audit(of: auditStore(Self.untidy + [other]), host: "other.test")
        #expect(audit.findings.map(\.key.host) == ["other.test"])
        #expect(audit.examined.map(\.requests) == [1])
    }

    @Test("the evidence is the worst of all, and bounded")
    func evidence() throws {
        let calls = (1...9).map { call($0, at: Double($0) * 100, body: 10_000 + ($0 * 7 % 9) * 1_000) }
        let finding = try #require(try Audit(of: auditStore(calls)).findings.first)
        // The bodies are 17, 15, 13, 11, 18, 16, 14, 12 and 10 thousand bytes.
        #expect(finding.evidence.map(\.rawValue) == [5, 1, 6, 2, 7])
        #expect(finding.affectedCalls == 9)
    }

    @Test("what saves less than a packet and less than a moment is not shown", arguments: [(2_919, 0), (2_920, 1)])
    func floor(_ body: Int64, _ count: Int) throws {
        #expect(try Audit(of: auditStore([call(1, body: body)])).findings.count == count)
    }

    @Test("sizes that were not counted make an estimate")
    func evidenceOfSizes() throws {
        func basis(_ evidence: Evidence) throws -> AuditFinding.Basis? {
            try findings("oversized-cookies", in: [call(1, sentCookies: 5_000, evidence: evidence)]).first?.basis
        }
        #expect(try basis(.captured) == .measured)
        #expect(try basis(.reported) == .measured)
        #expect(try basis(.reconstructed) == .estimated)
    }

    @Test("exchanges without an end, a response or a size do no harm")
    func incomplete() throws {
        var running = call(1, status: nil)
        running.end = nil
        let audit = try Audit(of: auditStore([running, call(2, body: 5_000, evidence: .unknown)]))
        #expect(audit.examined.map(\.exchanges) == [2])
        #expect(audit.findings.isEmpty)
        #expect(audit.table() == "Nothing found in 2 exchanges.\n")
        #expect(try Audit(of: auditStore([])).table() == "No requests.\n")
    }

    @Test("the memory of requests is bounded, and forgets the oldest first")
    func memory() throws {
        func calls(_ between: Int64) -> [Exchange] {
            [call(1, at: 0, body: 5_000, digest: 7, got: ["ETag: \"1\""])]
                + (2..<(2 + between)).map { call($0, at: 1, "GET", "http://api.test/\($0)", template: "/{id}") }
                + [call(9_000, at: 60, body: 5_000, digest: 7)]
        }
        let limits = everything {
            $0.rememberedRequests = 100
            $0.leastRepetitions = 1
        }
        #expect(try findings("unused-validators", in: calls(40), limits).count == 1)
        #expect(try findings("unused-validators", in: calls(200), limits).isEmpty)
    }

    @Test("every rule has a name of its own")
    func names() {
        #expect(Audit.ruleNames.count == 21)
        #expect(Set(Audit.ruleNames).count == 21)
    }

    @Test("a finding as JSON has all that is promised")
    func json() throws {
        let audit = try Audit(of: auditStore(Self.untidy, thinning: 2), sort: .bytes, limit: 2)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(audit.json.utf8)) as? [String: Any])
        #expect(object["requests"] as? Int == 60)
        #expect((object["examined"] as? [String: Any])?["exchanges"] as? Int == 30)
        #expect(object["more"] as? Int == 1)
        let found = try #require(object["findings"] as? [[String: Any]])
        #expect(found.count == 2)
        let first = found[0]
        #expect(first["rule"] as? String == "text-without-coding")
        #expect(first["alarm"] as? Bool == false)
        #expect(first["method"] as? String == "GET")
        #expect(first["host"] as? String == "api.test")
        #expect(first["template"] as? String == "/big")
        #expect((first["problem"] as? String)?.isEmpty == false)
        #expect((first["remedy"] as? String)?.isEmpty == false)
        let saving = try #require(first["saving"] as? [String: Double])
        #expect(saving["bytes"] == 500_000)
        #expect(saving["bytesPer1000Calls"] == 25_000_000)
        #expect(saving["milliseconds"] == 0)
        #expect(saving["millisecondsPer1000Calls"] == 0)
        #expect(first["basis"] as? String == "estimated")
        #expect(first["scaled"] as? Bool == true)
        #expect(first["calls"] as? Int == 20)
        #expect(first["examinedCalls"] as? Int == 10)
        #expect(first["affectedCalls"] as? Int == 10)
        #expect((first["evidence"] as? [Int])?.count == 5)
    }

    @Test("the table fits its terminal", arguments: [40, 80, 120, 200])
    func table(_ width: Int) throws {
        let text = try Audit(of: auditStore(Self.untidy, thinning: 3)).table(TextStyle(width: width))
        #expect(text.split(separator: "\n").allSatisfy { TerminalText.width(String($0)) <= width })
        #expect(text.contains("slow-server"))
    }

    @Test("hostile names cannot move the cursor, nor break a table")
    func hostile() throws {
        let calls = (1...3).map {
            call(
                $0, at: Double($0) * 100, "GET", "http://api.test/x", template: "/\u{1B}[2J|<b>", body: 9_000,
                sent: ["X\u{1B}: \(String(repeating: "a", count: 2_000))"], got: ["Location: //\u{1B}c/"])
        }
        let image = call(4, "GET", "http://api.test/image", type: "image/\u{1B}[2J", body: 900_000)
        let audit = try Audit(of: auditStore(calls + [image]))
        #expect(audit.findings.count >= 3)
        for text in [audit.table(), audit.markdown, audit.json] {
            #expect(!text.unicodeScalars.contains("\u{1B}"))
        }
        #expect(audit.markdown.contains("\\|\\<b\\>"))
    }

    @Test("Markdown has a row and a sentence for each finding")
    func markdown() throws {
        let audit = try Audit(of: auditStore(Self.untidy))
        let lines = audit.markdown.split(separator: "\n")
        #expect(lines[0].hasPrefix("| # | Saves | Time |"))
        #expect(lines.filter { $0.hasPrefix("| ") }.count == 2 + 3)
        #expect(lines.contains { $0.hasPrefix("1. The server's first byte took more than 800.0 ms") })
    }
}

@Suite("What an audit knows of hosts, types and fields")
struct AuditFactsTests {
    @Test(
        "sites",
        arguments: [
            ("example.com", "example.com"), ("a.b.example.com", "example.com"), ("www.example.co.uk", "example.co.uk"),
            ("10.1.2.3", "10.1.2.3"), ("::1", "[::1]"), ("[::1]:8080", "[::1]"), ("localhost", "localhost"),
            ("t.co", "t.co"),
        ])
    func site(_ host: String, _ site: String) {
        #expect(Site.of(host) == site)
        #expect(Site.of(host, suffixes: nil) == site)
    }

    @Test(
        "sites that only the list of public suffixes distinguishes", .enabled(if: PublicSuffixes.system != nil),
        arguments: [
            ("ada.github.io", "ada.github.io"), ("www.ada.github.io", "ada.github.io"),
            ("a.b.example.tokyo.jp", "example.tokyo.jp"), ("x.shop.example.com.", "example.com"),
            ("api.shop.test", "shop.test"), ("bucket.s3.amazonaws.com", "bucket.s3.amazonaws.com"),
            ("nhs.example.gov.uk", "example.gov.uk"), ("a.co.uk", "a.co.uk"),
        ])
    func listedSite(_ host: String, _ site: String) {
        #expect(Site.of(host) == site)
    }

    @Test(
        "hosts of URLs",
        arguments: [
            ("https://A.test:8080/x?y", "a.test"), ("//b.test/x", "b.test"), ("http://u:p@c.test", "c.test"),
            ("http://[::1]:80/", "[::1]"),
        ])
    func host(_ url: String, _ host: String) {
        #expect(Site.host(ofURL: url) == host)
        #expect(Site.host(ofURL: "/path//x") == nil)
    }

    @Test("media types by kind")
    func kinds() {
        #expect(MediaKind("application/problem+json") == .json)
        #expect(MediaKind("image/svg+xml") == .xml)
        #expect(MediaKind("image/png") == .image)
        #expect(MediaKind("text/csv") == .text)
        #expect(MediaKind("application/octet-stream") == .other)
        #expect(MediaKind("") == nil)
    }

    @Test("fields are found whatever their case, the first of several counts, and odd lines do no harm")
    func fields() {
        let text =
            "ETAG:  \"a\" \r\ncache-control: Max-Age=1, NO-STORE\r\netag: \"b\"\r\nodd\r\n: x\r\nLocation:\r\nX-Etag: y"
        let facts = HeadFacts(FieldSection(bytes: Array(text.utf8)))
        #expect(facts.text(facts.etag) == "\"a\"")
        #expect(facts.isNoStore)
        #expect(facts.text(facts.location) == "")
        #expect(facts.location != nil)
        #expect(facts.lastModified == nil)
        #expect(facts.strongTag != nil)
        #expect(HeadFacts(FieldSection(bytes: Array("ETag: W/\"a\"\r\n".utf8))).strongTag == nil)
        #expect(HeadFacts(FieldSection()).etag == nil)
    }
}
