import Testing
import TrafficModel

@testable import TrafficAudit

/// The same body a number of times, that many seconds apart.
private func same(
    _ count: Int64, every seconds: Double, status: Int = 200, body: Int64 = 5_000, sent: [String] = [],
    got: [String] = []
) -> [Exchange] {
    (1...count).map {
        call(
            $0, at: Double($0) * seconds, status: $0 == 1 ? 200 : status, coding: "gzip",
            body: $0 == 1 || status == 200 ? body : 0, digest: 77, sent: sent, got: got)
    }
}

@Suite("The same body again, without validators")
struct RepeatedBodyTests {
    private let rule = "repeated-body"

    @Test("bodies that were there already are wasted, all but the first")
    func positive() throws {
        let finding = try #require(try findings(rule, in: same(4, every: 60)).first)
        #expect(finding.bytes == 15_000)
        #expect(finding.affectedCalls == 3)
        #expect(finding.problem.contains("neither ETag nor Last-Modified"))
    }

    @Test("a server that ignores validators is reported")
    func ignored() throws {
        let calls = same(4, every: 60, sent: ["If-None-Match: \"1\""], got: ["ETag: \"1\""])
        #expect(try findings(rule, in: calls).first?.problem.contains("though the client asked") == true)
    }

    @Test("bodies that differ, that must not be stored, or are confirmed are left alone")
    func negative() throws {
        let different = (1...4).map { call($0, at: Double($0) * 60, body: 5_000) }
        #expect(try findings(rule, in: different).isEmpty)
        #expect(try findings(rule, in: same(4, every: 60, got: ["Cache-Control: private, No-Store"])).isEmpty)
        #expect(try findings(rule, in: same(4, every: 60, status: 304)).isEmpty)
        let posts = (1...4).map { call($0, at: Double($0) * 60, "POST", body: 5_000, digest: 7) }
        #expect(try findings(rule, in: posts).isEmpty)
    }

    @Test("one repetition may be a coincidence, two are not", arguments: [(2, 0), (3, 1)])
    func boundary(_ calls: Int64, _ count: Int) throws {
        #expect(try findings(rule, in: same(calls, every: 60)).count == count)
    }
}

@Suite("Validators that are not used")
struct UnusedValidatorsTests {
    private let rule = "unused-validators"

    @Test("a body that would not have come had its version been named", arguments: ["ETag: \"1\"", "last-modified: x"])
    func positive(_ validator: String) throws {
        let calls = same(3, every: 60, got: [validator])
        #expect(try findings(rule, in: calls).first?.bytes == 10_000)
        #expect(try findings("repeated-body", in: calls).isEmpty)
    }

    @Test("who asks with the version, or gets another, is left alone")
    func negative() throws {
        let asking = same(4, every: 60, sent: ["If-Modified-Since: x"], got: ["Last-Modified: x"])
        #expect(try findings(rule, in: asking).isEmpty)
        let different = (1...4).map { call($0, at: Double($0) * 60, body: 5_000, got: ["ETag: \"\($0)\""]) }
        #expect(try findings(rule, in: different).isEmpty)
    }

    @Test("one repetition may be a coincidence, two are not", arguments: [(2, 0), (3, 1)])
    func boundary(_ calls: Int64, _ count: Int) throws {
        #expect(try findings(rule, in: same(calls, every: 60, got: ["ETag: \"1\""])).count == count)
    }
}

@Suite("Identical requests")
struct IdenticalRequestsTests {
    private let rule = "identical-requests"

    @Test("the same question and answer within two seconds")
    func positive() throws {
        let finding = try #require(try findings(rule, in: same(3, every: 0.5)).first)
        // Whole exchanges: both messages' headers and the body.
        #expect(finding.bytes == 2 * (5_000 + 17 + 2 + 30 + 2))
        #expect(finding.nanoseconds == 20_000_000)
        #expect(try findings("repeated-body", in: same(3, every: 0.5)).isEmpty)
    }

    @Test("other answers, other questions, and those that change something are left alone")
    func negative() throws {
        let answers = (1...3).map { call($0, at: Double($0) / 2, body: 5_000) }
        #expect(try findings(rule, in: answers).isEmpty)
        let questions = (1...3).map {
            call($0, at: Double($0) / 2, "GET", "http://api.test/items?\($0)", body: 9, digest: 7)
        }
        #expect(try findings(rule, in: questions).isEmpty)
        let posts = (1...3).map { call($0, at: Double($0) / 2, "POST", body: 9, digest: 7) }
        #expect(try findings(rule, in: posts).isEmpty)
    }

    @Test("a revalidation right after the first answer is another question")
    func revalidation() throws {
        let first = call(1, at: 0, body: 5_000, digest: 7, got: ["ETag: \"1\""])
        let second = call(2, at: 1, status: 304, sent: ["If-None-Match: \"1\""])
        let third = call(3, at: 5, body: 5_000, digest: 7)
        #expect(try findings(rule, in: [first, second, third]).isEmpty)
    }

    @Test("two seconds are short, a little more is not", arguments: [(2.0, 1), (2.001, 0)])
    func boundary(_ seconds: Double, _ count: Int) throws {
        #expect(try findings(rule, in: same(3, every: seconds)).count == count)
    }
}

@Suite("Polling")
struct UnchangedPollingTests {
    private let rule = "unchanged-polling"

    @Test("the same answer at even intervals, also when it is a 304", arguments: [200, 304])
    func positive(_ status: Int) throws {
        let finding = try #require(try findings(rule, in: same(10, every: 30, status: status)).first)
        #expect(finding.affectedCalls == 9)
        #expect(finding.problem.contains("every 30.0 s"))
        let body: Int64 = status == 200 ? 5_000 : 0
        #expect(finding.bytes == 9 * (body + 17 + 2 + 30 + 2))
    }

    @Test("answers that change, uneven intervals, and rare questions are left alone")
    func negative() throws {
        let changing = (1...10).map { call($0, at: Double($0) * 30, body: 5_000) }
        #expect(try findings(rule, in: changing).isEmpty)
        let uneven = [0, 30, 230, 260, 500, 515, 900, 930, 1_300].enumerated().map {
            call(Int64($0 + 1), at: Double($1), body: 5_000, digest: 7)
        }
        #expect(try findings(rule, in: uneven).isEmpty)
        #expect(try findings(rule, in: same(10, every: 601)).isEmpty)
    }

    @Test("four in a row are not polling, five are", arguments: [(4, 0), (5, 1)])
    func boundary(_ calls: Int64, _ count: Int) throws {
        #expect(try findings(rule, in: same(calls, every: 30)).count == count)
    }
}
