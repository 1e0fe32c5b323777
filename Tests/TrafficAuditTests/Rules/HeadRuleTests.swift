import Testing
import TrafficModel

@testable import TrafficAudit

@Suite("Oversized cookies")
struct OversizedCookiesTests {
    private let rule = "oversized-cookies"

    @Test("cookies in both directions, less the room of a session's number, times the calls")
    func positive() throws {
        let calls = (1...3).map { call($0, sentCookies: 1_500, gotCookies: 500) }
        let finding = try #require(try findings(rule, in: calls).first)
        #expect(finding.bytes == 3 * (2_000 - 64))
        #expect(finding.problem.contains("First-party cookies of 2.0 KB"))
        #expect(finding.problem.contains("6.0 KB in all"))
    }

    @Test("third parties are allowed less, and are named so")
    func thirdParty() throws {
        let own = (1...3).map { call($0, sentCookies: 300) }
        let other = call(4, "GET", "http://pixel.ads.example/p", sentCookies: 300)
        let found = try findings(rule, in: own + [other])
        #expect(found.map(\.key.host) == ["pixel.ads.example"])
        #expect(found.first?.problem.contains("Third-party") == true)
    }

    @Test("a host below the same site is no third party")
    func sameSite() throws {
        let own = (1...3).map { call($0, sentCookies: 300) }
        #expect(try findings(rule, in: own + [call(4, "GET", "http://img.api.test/p", sentCookies: 300)]).isEmpty)
    }

    @Test("cookies of the limit are fine, one byte more is not", arguments: [(1_024, 0), (1_025, 1)])
    func boundary(_ cookies: Int64, _ count: Int) throws {
        #expect(try findings(rule, in: [call(1, sentCookies: cookies)]).count == count)
    }
}

@Suite("Oversized request fields")
struct OversizedRequestFieldsTests {
    private let rule = "oversized-request-fields"

    @Test("what is above the limit could be saved, and the largest lines are named by their size on the wire")
    func positive() throws {
        let lines = ["Authorization: [redacted 1800 B]", "X-Trace: abc", "Cookie: a=[redacted 900 B]"]
        let finding = try #require(
            try findings(rule, in: [call(1, sent: lines, sentFields: 3_000, sentCookies: 912)]).first)
        #expect(finding.bytes == 3_000 - 912 - 1_024)
        #expect(finding.problem.contains("Authorization 1.8 KB, X-Trace"))
        #expect(!finding.problem.contains("Cookie 9"))
    }

    @Test("cookies are another rule's")
    func negative() throws {
        #expect(try findings(rule, in: [call(1, sentFields: 5_000, sentCookies: 4_500)]).isEmpty)
    }

    @Test("fields of the limit are fine, one byte more is not", arguments: [(1_024, 0), (1_025, 1)])
    func boundary(_ fields: Int64, _ count: Int) throws {
        #expect(try findings(rule, in: [call(1, sentFields: fields)]).count == count)
    }
}

@Suite("Redirects")
struct RedirectsTests {
    private func redirects(
        _ count: Int64 = 3, from url: String = "http://api.test/items", to target: String, status: Int = 301,
        resendCount: Int = 0
    ) -> [Exchange] {
        (1...count).map {
            call(
                $0, at: Double($0) * 10, "GET", url, status: status, got: ["Location: \(target)"],
                resendCount: resendCount)
        }
    }

    @Test(
        "each sort is distinguished and has its remedy",
        arguments: [
            ("https://api.test/items", 301, 0, "from http to https", "the https URL directly"),
            ("/items/", 301, 0, "for a trailing slash", "Use the URL that the server redirects to"),
            ("http://api.test/items/?a=1", 308, 0, "for a trailing slash", "Use the URL that the server redirects to"),
            ("/other", 301, 0, "permanent", "the server names"),
            ("/other", 302, 0, "temporary", "without a redirect"),
            ("/other", 302, 1, "one redirect after the other", "the first redirect"),
        ])
    func positive(_ target: String, _ status: Int, _ resendCount: Int, _ kind: String, _ remedy: String) throws {
        let finding = try #require(
            try findings("redirects", in: redirects(to: target, status: status, resendCount: resendCount)).first)
        #expect(finding.problem == "All 3 calls only led to another URL (\(kind): 3).")
        #expect(finding.remedy.contains(remedy))
        #expect(finding.bytes == 3 * (30 + 2 + 17 + Int64(target.utf8.count) + 12 + 2))
        #expect(finding.nanoseconds == 30_000_000)
    }

    @Test("the answer to a form, a confirmation, and a redirect to nowhere are left alone")
    func negative() throws {
        #expect(try findings("redirects", in: redirects(to: "/done", status: 303)).isEmpty)
        #expect(try findings("redirects", in: (1...3).map { call($0, status: 304) }).isEmpty)
        #expect(try findings("redirects", in: (1...3).map { call($0, status: 302) }).isEmpty)
    }

    @Test("one redirect may be a coincidence, two are not", arguments: [(1, 0), (2, 1)])
    func boundary(_ calls: Int64, _ count: Int) throws {
        #expect(try findings("redirects", in: redirects(calls, to: "/other")).count == count)
    }
}
