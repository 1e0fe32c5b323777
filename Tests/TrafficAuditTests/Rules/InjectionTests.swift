import Foundation
import Testing
import TrafficModel

@testable import TrafficAudit

@Suite("Pages that are changed on the way")
struct InjectionTests {
    private let rule = "tampering"

    /// The same page of 4,700 bytes, repeated, with others in between; none names its version.
    private func visits(
        _ count: Int64, url: String = "http://site.test/", type: String = "text/html", sent: [String] = [],
        got: [String] = [], other: [Int64: Int64], otherGot: [String]? = nil, otherSent: [String]? = nil
    ) -> [Exchange] {
        (1...count).map { number in
            let isOther = other[number] != nil
            return call(
                number, at: Double(number) * 3_600, "GET", url, type: type, body: other[number] ?? 4_700,
                digest: isOther ? UInt64(number) + 100 : 7, sent: isOther ? otherSent ?? sent : sent,
                got: isOther ? otherGot ?? got : got)
        }
    }

    @Test("a page that grew, and then was the old one again, without any validator")
    func positive() throws {
        let finding = try #require(try findings(rule, in: visits(30, other: [20: 4_790])).first)
        #expect(finding.isAlarm)
        #expect(finding.bytes == 90)
        #expect(finding.evidence == [StoredExchange.ID(20)])
        #expect(finding.problem.contains("other bytes between two equal answers: 1"))
        let script = visits(30, type: "text/javascript", other: [20: 4_790])
        #expect(try findings(rule, in: script).first?.evidence == [StoredExchange.ID(20)])
    }

    @Test("so do two in a row, each with other bytes")
    func twoInARow() throws {
        let finding = try #require(try findings(rule, in: visits(40, other: [25: 4_790, 26: 4_800])).first)
        #expect(Set(finding.evidence) == [StoredExchange.ID(25), StoredExchange.ID(26)])
    }

    @Test(
        "a new version that stays, has another name, is shorter, follows another request, or comes over TLS is no finding"
    )
    func negative() throws {
        let stays =
            visits(19, other: [:])
            + (20...30).map {
                call($0, at: Double($0) * 3_600, "GET", "http://site.test/", type: "text/html", body: 4_790, digest: 8)
            }
        #expect(try findings(rule, in: stays).isEmpty)
        #expect(try findings(rule, in: visits(30, other: [20: 4_600])).isEmpty)
        #expect(try findings(rule, in: visits(30, url: "https://site.test/", other: [20: 4_790])).isEmpty)
        #expect(try findings(rule, in: visits(30, type: "application/json", other: [20: 4_790])).isEmpty)
        #expect(try findings(rule, in: visits(30, other: [20: 4_790], otherSent: ["Cookie: user=2"])).isEmpty)
        #expect(
            try findings(
                rule,
                in: visits(
                    30, got: ["Last-Modified: Mon"], other: [20: 4_790], otherGot: ["Last-Modified: Tue"])
            ).isEmpty)
        #expect(
            try findings(
                rule, in: visits(30, got: ["ETag: \"1\""], other: [20: 4_790], otherGot: ["ETag: \"2\""])
            ).isEmpty)
    }

    @Test("a page that is another each time, or often, is the server's own")
    func dynamic() throws {
        let always = Dictionary(uniqueKeysWithValues: (1...30).map { (Int64($0), Int64(4_000 + $0)) })
        #expect(try findings(rule, in: visits(30, other: always)).isEmpty)
        let often = Dictionary(uniqueKeysWithValues: stride(from: 6, to: 60, by: 6).map { (Int64($0), Int64(4_790)) })
        #expect(try findings(rule, in: visits(60, other: often)).isEmpty)
    }

    @Test("four equal answers are no habit, five are; one after it is enough", arguments: [(4, 0), (5, 1)])
    func boundary(_ count: Int64, _ found: Int) throws {
        let calls = visits(count + 2, other: [count + 1: 4_790])
        let rest = (100...120).map { call($0, at: 900_000, "GET", "http://site.test/", type: "text/html", body: 1) }
        #expect(try findings(rule, in: calls).count == found)
        #expect(try findings(rule, in: Array(calls.dropLast()) + rest).isEmpty)
    }

    // MARK: with bodies

    private func page(_ number: Int64, url: String = "https://site.test/", coding: String = "", _ scripts: String...)
        -> Exchange
    {
        let text =
            "<!doctype html><body>News of \(number)"
            + scripts.map { $0.hasPrefix("//") ? "<SCRIPT async src='\($0)/x.js'></script>" : "<script>\($0)</script>" }
            .joined()
        let body = Array(text.utf8)
        return call(
            number, at: Double(number) * 60, "GET", url, type: "text/html", coding: coding, body: Int64(body.count),
            kept: body)
    }

    private let own = ["//cdn.site.test", "//widgets.example", "start()"]

    private func usual(_ number: Int64, url: String = "https://site.test/") -> Exchange {
        page(number, url: url, own[0], own[1], own[2])
    }

    @Test("a script from a site that the page had none of, in pages that differ each time")
    func foreignScript() throws {
        let calls = (1...30).map { $0 == 20 ? page($0, own[0], own[1], own[2], "//ads.example") : usual($0) }
        let finding = try #require(try findings(rule, in: calls).first)
        #expect(finding.evidence == [StoredExchange.ID(20)])
        #expect(
            finding.problem
                == "Something between client and server changed 1 of 30 calls: a script from ads.example: 1.")
        #expect(finding.bytes == 48)
    }

    @Test("a script in the page itself")
    func inlineScript() throws {
        let calls = (1...30).map { $0 == 30 ? page($0, own[0], own[1], own[2], "inject()") : usual($0) }
        let found = try findings(rule, in: calls)
        #expect(found.first?.problem.contains("a script that the page did not have") == true)
        #expect(found.first?.evidence == [StoredExchange.ID(30)])
    }

    @Test("a script that stays is the page's own; so are scripts of other pages, and of a page with more or fewer")
    func scriptsOfItsOwn() throws {
        let stays = (1...30).map { $0 >= 20 ? page($0, own[0], own[1], own[2], "//ads.example") : usual($0) }
        #expect(try findings(rule, in: stays).isEmpty)
        let others = (1...30).map { (number: Int64) in
            number == 20
                ? page(number, url: "https://site.test/\(number)", "//video.example")
                : usual(number, url: "https://site.test/\(number)")
        }.map { (exchange: Exchange) in
            var exchange = exchange
            exchange.request.template = "/{id}"
            return exchange
        }
        #expect(try findings(rule, in: others).isEmpty)
        let varying = (1...30).map {
            $0 == 20 ? page($0, "a", "b", "c", "d") : $0 % 2 == 0 ? page($0, "a") : page($0, "a", "b")
        }
        #expect(try findings(rule, in: varying).isEmpty)
    }

    @Test("five pages are a habit, four are none", arguments: [(4, 0), (5, 1)])
    func scriptBoundary(_ count: Int64, _ found: Int) throws {
        let calls = (1...count + 1).map { $0 > count ? page($0, own[0], own[1], own[2], "//ads.example") : usual($0) }
        #expect(try findings(rule, in: calls).count == found)
    }

    @Test("pages that were not kept, or are damaged, do no harm")
    func unreadable() throws {
        let cut = (1...30).map { page($0, coding: $0 % 2 == 0 ? "gzip" : "br", "//a\($0).example") }
        #expect(try findings(rule, in: cut).isEmpty)
        #expect(
            PageScripts(of: Array("<script src=//a.example/x><script src=\"https://b.example".utf8), from: "c").count
                == 2)
        #expect(
            PageScripts(of: Array("<SCRIPT SRC = 'http://www.b.example/'>".utf8), from: "c.test").sites == ["b.example"]
        )
        #expect(
            PageScripts(of: Array("<script src=/own.js><script src='//x.c.test'>".utf8), from: "c.test").sites.isEmpty)
        #expect(PageScripts(of: Array("<script".utf8), from: "c").count == 1)
    }
}
