import TestSupport
import Testing
import TrafficModel

@testable import TrafficAudit

@Suite("Failed calls")
struct FailedCallsTests {
    private let rule = "failed-calls"

    private func failures(_ count: Int64, of all: Int64, status: Int = 500) -> [Exchange] {
        (1...all).map {
            call(
                $0, at: Double($0) * 100, "GET", "http://api.test/items/\($0)", template: "/items/{id}",
                status: $0 <= count ? status : 200, body: 1_000)
        }
    }

    @Test("bytes and time of answers that say no, of timeouts and of broken connections")
    func positive() throws {
        let calls = [
            call(1, status: 503, body: 1_000), call(2, at: 100, status: nil, outcome: .timedOut, milliseconds: 5_000),
            call(3, at: 200, body: 400, outcome: .failed(ExchangeFailure(.libcurl, code: 18, message: "cut"))),
        ]
        let finding = try #require(try findings(rule, in: calls).first)
        #expect(finding.bytes == 1_000 + 400 + 2 * 51 + 32)
        #expect(finding.nanoseconds == 5_020_000_000)
        #expect(finding.problem == "All 3 calls failed (503: 1, failed: 1, timed out: 1).")
    }

    @Test("what the server refuses need not be asked")
    func refused() throws {
        let found = try findings(rule, in: failures(5, of: 5, status: 404))
        #expect(found.first?.remedy.hasPrefix("Do not send what the server will refuse") == true)
    }

    @Test("successes, confirmations and what the program took back are left alone")
    func negative() throws {
        let calls = [
            call(1), call(2, status: 304), call(3, status: 301), call(4, outcome: .cancelled),
            call(5, status: nil, outcome: .cancelled),
        ]
        #expect(try findings(rule, in: calls).isEmpty)
    }

    @Test(
        "two failures are found, unless they are one percent or less",
        arguments: [(1, 10, 0), (2, 10, 1), (2, 200, 0), (2, 199, 1)])
    func boundary(_ count: Int64, _ all: Int64, _ found: Int) throws {
        #expect(try findings(rule, in: failures(count, of: all)).count == found)
    }
}

@Suite("Retries")
struct RetriesTests {
    private let rule = "retries"

    /// An upload that fails, and succeeds that many seconds later, a number of times.
    private func uploads(_ count: Int64, retriedAfter seconds: Double) -> [Exchange] {
        (0..<count).flatMap { index in
            let begin = Double(index) * 1_000
            return [
                call(2 * index + 1, at: begin, "PUT", status: 503, upload: 9_000, milliseconds: 1_000),
                call(2 * index + 2, at: begin + 1 + seconds, "PUT", upload: 9_000),
            ]
        }
    }

    @Test("what the failed attempts weighed is wasted, and counted once")
    func positive() throws {
        let finding = try #require(try findings(rule, in: uploads(3, retriedAfter: 5)).first)
        #expect(finding.bytes == 3 * (9_000 + 51))
        #expect(finding.nanoseconds == 3_000_000_000)
        #expect(finding.evidence == [1, 3, 5].map { StoredExchange.ID($0) })
        #expect(finding.problem == "3 retries followed failed attempts (503: 3); none of them failed as well.")
        #expect(try findings("failed-calls", in: uploads(3, retriedAfter: 5)).isEmpty)
    }

    @Test("another upload, or a repetition of what succeeded, is no retry")
    func negative() throws {
        let other = [call(1, "PUT", status: 503, upload: 9_000), call(2, at: 5, "PUT", upload: 8_000)]
        #expect(try findings(rule, in: other, everything { $0.leastRetries = 1 }).isEmpty)
        let success = [call(1, "PUT", upload: 9_000), call(2, at: 5, "PUT", upload: 9_000)]
        #expect(try findings(rule, in: success, everything { $0.leastRetries = 1 }).isEmpty)
    }

    @Test(
        "a retry comes within a minute, and one may be a coincidence",
        arguments: [(2, 60.0, 1), (2, 60.001, 0), (1, 5.0, 0)])
    func boundary(_ count: Int64, _ seconds: Double, _ found: Int) throws {
        #expect(try findings(rule, in: uploads(count, retriedAfter: seconds)).count == found)
    }
}

@Suite("A network that tampers")
struct TamperingTests {
    private let rule = "tampering"

    private func answers(_ count: Int64, type: String = "application/json") -> [Exchange] {
        (1...count).map { call($0, at: Double($0) * 60, type: type, coding: "gzip", body: 500) }
    }

    @Test("HTML where JSON was is an alarm, before all that saves bytes")
    func html() throws {
        let strange = call(90, at: 9_000, type: "text/html", body: 700)
        let waste = call(91, at: 9_100, "GET", "http://api.test/big", body: 9_000_000)
        let audit = try Audit(of: auditStore(answers(20) + [strange, waste]))
        let finding = try #require(audit.findings.first)
        #expect(finding.rule == rule)
        #expect(finding.isAlarm)
        #expect(finding.evidence == [StoredExchange.ID(90)])
        #expect(finding.problem.contains("HTML in place of JSON"))
    }

    @Test("a redirect to another site, where there was none before")
    func redirect() throws {
        let strange = call(90, at: 9_000, status: 302, got: ["Location: http://login.hotel.example/?u=x"])
        #expect(try findings(rule, in: answers(20) + [strange]).first?.problem.contains("login.hotel.example") == true)
    }

    @Test("a network that says so itself")
    func login() throws {
        #expect(try findings(rule, in: answers(20) + [call(90, status: 511, type: "text/html")]).count == 1)
    }

    /// A page of 4,700 bytes a number of times, under one tag; then one of another size.
    private func pages(_ count: Int64, then body: Int64, tag: String = "\"v1\"", coding: String = "") -> [Exchange] {
        (1...count).map {
            call($0, at: Double($0) * 3_600, type: "text/html", body: 4_700, digest: 7, got: ["ETag: \(tag)"])
        } + [call(90, at: 90_000, type: "text/html", coding: coding, body: body, got: ["ETag: \(tag)"])]
    }

    @Test(
        "bytes added to a version that was there before; the longer one is the evidence",
        arguments: [(5_000, 90), (4_500, 9)])
    func growth(_ body: Int64, _ evidence: Int64) throws {
        let finding = try #require(try findings(rule, in: pages(9, then: body)).first)
        #expect(finding.bytes == abs(body - 4_700))
        #expect(finding.evidence == [StoredExchange.ID(evidence)])
        #expect(finding.isAlarm)
    }

    @Test("a tag that was true once may be no tag, twice it is one", arguments: [(2, 0), (3, 1)])
    func confirmedTags(_ count: Int64, _ found: Int) throws {
        #expect(try findings(rule, in: pages(count, then: 5_000)).count == found)
    }

    @Test("weak tags and other codings say nothing of the bytes", arguments: [("W/\"v1\"", ""), ("\"v1\"", "gzip")])
    func otherBytes(_ tag: String, _ coding: String) throws {
        #expect(try findings(rule, in: pages(9, then: 900, tag: tag, coding: coding)).isEmpty)
    }

    @Test("an API of many kinds and redirects within the site are left alone")
    func negative() throws {
        let pages = (1...20).map {
            call($0, at: Double($0), type: $0 % 2 == 0 ? "text/html" : "application/json", body: 9)
        }
        #expect(try findings(rule, in: pages).isEmpty)
        let inside = call(90, at: 9_000, status: 302, got: ["Location: https://www.api.test/"])
        #expect(try findings(rule, in: answers(20) + [inside]).isEmpty)
    }

    /// Answers without a Content-Type, the one of that number in another way.
    private func untyped(_ count: Int64, strange: Int64, _ other: (Int64) -> Exchange) -> [Exchange] {
        (1...count).map {
            $0 == strange ? other($0) : call($0, at: Double($0) * 60, type: "", body: 500, digest: 7, got: ["A: b"])
        }
    }

    @Test("where answers name no type, a redirect to another site and HTML are strange all the same")
    func untypedAnswers() throws {
        let redirect = untyped(30, strange: 20) {
            call($0, at: Double($0) * 60, status: 302, type: "", got: ["Location: http://login.hotel.example/"])
        }
        let found = try #require(try findings(rule, in: redirect).first)
        #expect(found.evidence == [StoredExchange.ID(20)])
        #expect(found.problem.contains("1 of 30 calls: redirected to login.hotel.example"))
        let page = untyped(30, strange: 20) { call($0, at: Double($0) * 60, type: "text/html", body: 900) }
        let html = try #require(try findings(rule, in: page).first)
        #expect(html.evidence == [StoredExchange.ID(20)])
        #expect(html.problem.contains("HTML in place of content without a type"))
    }

    @Test(
        "HTML without a type is recognized by its first bytes if they were kept, and by other fields if the old response returns"
    )
    func untypedPage() throws {
        let page = Array("\n<!DOCTYPE html><title>Login</title>".utf8)
        let kept = (1...30).map {
            $0 == 30
                ? call($0, at: Double($0) * 60, type: "", body: Int64(page.count), kept: page)
                : call($0, at: Double($0) * 60, type: "", body: 4, digest: 7, kept: [1, 2, 3, 4])
        }
        #expect(try findings(rule, in: kept).first?.evidence == [StoredExchange.ID(30)])
        func other(_ fields: [String], last: Int64) throws -> [AuditFinding] {
            try findings(
                rule,
                in: untyped(last, strange: 20) { call($0, at: Double($0) * 60, type: "", body: 400, got: fields) })
        }
        #expect(try other(["Server: gateway"], last: 30).first?.evidence == [StoredExchange.ID(20)])
        #expect(try other(["a: c"], last: 30).isEmpty)
        #expect(try other(["Server: gateway"], last: 20).isEmpty)
    }

    @Test("HTML where there was never any content")
    func emptyAnswers() throws {
        let calls = (1...20).map {
            $0 == 15
                ? call($0, at: Double($0), "DELETE", type: "text/html", body: 700)
                : call($0, at: Double($0), "DELETE", status: 204, type: "")
        }
        #expect(try findings(rule, in: calls).first?.problem.contains("HTML in place of no content") == true)
    }

    @Test("answers without a type, some of them empty, are left alone; four are no habit", arguments: [4, 5])
    func untypedNegative(_ count: Int64) throws {
        let calls = (1...30).map { call($0, at: Double($0), type: "", body: $0 % 3 == 0 ? 0 : $0) }
        #expect(try findings(rule, in: calls).isEmpty)
        let strange = untyped(count + 1, strange: count + 1) { call($0, at: 9_000, type: "text/html", body: 9) }
        #expect(try findings(rule, in: strange).count == (count == 5 ? 1 : 0))
    }

    @Test("a proxy that says so: status 203, or warning 214", arguments: [true, false])
    func transformed(_ byStatus: Bool) throws {
        func strange(_ number: Int64) -> Exchange {
            call(
                number, at: 9_000, status: byStatus ? 203 : 200, body: 400,
                got: byStatus ? [] : ["Warning: 214 proxy \"Transformation Applied\""])
        }
        let found = try findings(rule, in: answers(20) + [strange(90)])
        #expect(found.first?.problem.contains("a proxy that says that it changed the content") == true)
        #expect(try findings(rule, in: (1...9).map { strange($0) }).isEmpty)
        #expect(try findings(rule, in: [strange(1)]).isEmpty)
    }

    @Test("four answers are no habit, five are", arguments: [(4, 0), (5, 1)])
    func boundary(_ count: Int64, _ found: Int) throws {
        let strange = call(90, at: 9_000, type: "text/html", body: 700)
        #expect(try findings(rule, in: answers(count) + [strange]).count == found)
    }

    @Test("what happens to more than a tenth of the calls is the API's own way", arguments: [(18, 1), (17, 0)])
    func share(_ count: Int64, _ found: Int) throws {
        let strange = [90, 91].map { call($0, at: Double($0) * 100, type: "text/html", body: 700) }
        #expect(try findings(rule, in: answers(count) + strange).count == found)
    }
}
