import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

@Suite struct ReportTableTests {
    @Test("The table at 60 columns")
    func width60() throws {
        let expected = #"""
            Method  Host            API               Requests     Total
            POST    upload.…le.net  /v2/orga…id}.png        12  ~61.0 MB
            GET     api.exa…le.com  /users/{id}          1,200    5.0 MB
            GET     api.exa…le.com  /gone                    2     180 B
            ────────────────────────────────────────────────────────────
                                    Total                1,214  ~66.0 MB
            99.9 % of 66.0 MB was captured; ~ marks sums of which a part
            is reported or reconstructed.
            4 requests have no response.
            """#
        let table = try TrafficReport(of: threeAPIs, by: .api).table(TextStyle(width: 60))
        #expect(table == expected + "\n")
    }

    @Test("The table at 80 columns")
    func width80() throws {
        let expected = #"""
            Method  Host              API               Requests  Failed     Total  Per call
            POST    upload.c…ple.net  /v2/orga…id}.png        12       –  ~61.0 MB         –
            GET     api.example.com   /users/{id}          1,200       3    5.0 MB         –
            GET     api.example.com   /gone                    2       2     180 B         –
            ────────────────────────────────────────────────────────────────────────────────
                                      Total                1,214       5  ~66.0 MB         –
            99.9 % of 66.0 MB was captured; ~ marks sums of which a part is reported or
            reconstructed.
            4 requests have no response.
            """#
        let table = try TrafficReport(of: threeAPIs, by: .api).table(TextStyle(width: 80))
        #expect(table == expected + "\n")
    }

    @Test("The table at 120 columns")
    func width120() throws {
        let expected = #"""
            Method  Host               API                                   Requests  Failed        Up     Down     Total  Per call
            POST    upload.c…mple.net  /v2/organisations/…}/images/{id}.png        12       –   61.0 MB  ~3.0 KB  ~61.0 MB         –
            GET     api.example.com    /users/{id}                              1,200       3  240.0 KB   4.8 MB    5.0 MB         –
            GET     api.example.com    /gone                                        2       2     180 B      0 B     180 B         –
            ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
                                       Total                                    1,214       5   61.2 MB  ~4.8 MB  ~66.0 MB         –
            99.9 % of 66.0 MB was captured; ~ marks sums of which a part is reported or reconstructed.
            4 requests have no response.
            """#
        let table = try TrafficReport(of: threeAPIs, by: .api).table(TextStyle(width: 120))
        #expect(table == expected + "\n")
    }

    @Test("The table at 200 columns")
    func width200() throws {
        let expected = #"""
            Method  Host                    API                                     Requests  Failed  Fail %        Up     Down     Total  Per call  Call p95   Share      p50       p95       p99  Headers  Cookies
            POST    upload.cdn.example.net  /v2/organisations/{…e}/images/{id}.png        12       –       –   61.0 MB  ~3.0 KB  ~61.0 MB         –         –  92.3 %    1.5 s     1.5 s     1.5 s   <0.1 %        –
            GET     api.example.com         /users/{id}                                1,200       3   0.2 %  240.0 KB   4.8 MB    5.0 MB         –         –   7.6 %  20.0 ms  398.3 ms  398.3 ms   10.7 %        –
            GET     api.example.com         /gone                                          2       2   100 %     180 B      0 B     180 B         –         –  <0.1 %        –         –         –    100 %        –
            ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
                                            Total                                      1,214       5   0.4 %   61.2 MB  ~4.8 MB  ~66.0 MB         –         –   100 %  30.3 ms     1.5 s     1.5 s    0.8 %        –
            99.9 % of 66.0 MB was captured; ~ marks sums of which a part is reported or reconstructed.
            4 requests have no response.
            """#
        let table = try TrafficReport(of: threeAPIs, by: .api).table(TextStyle(width: 200))
        #expect(table == expected + "\n")
    }

    @Test("No line is wider than the terminal", arguments: 40...200)
    func fits(width: Int) throws {
        let table = try TrafficReport(of: threeAPIs, by: .api).table(TextStyle(width: width))
        for line in table.split(separator: "\n") { #expect(TerminalText.width(String(line)) <= width) }
    }

    @Test("A limit leaves a row for the rest, and losses are warned of")
    func limitAndLosses() throws {
        var store = threeAPIs
        store.losses = [TrafficLoss(reason: .bufferFull, count: 12), TrafficLoss(reason: .malformed, count: 0)]
        let expected = #"""
            Method  Host              API               Requests  Failed     Total  Per call
            POST    upload.c…ple.net  /v2/orga…id}.png        12       –  ~61.0 MB         –
                                      other APIs (2)       1,202       5    5.0 MB         –
            ────────────────────────────────────────────────────────────────────────────────
                                      Total                1,214       5  ~66.0 MB         –
            99.0 % of 66.0 MB was captured; ~ marks sums of which a part is reported or
            reconstructed.
            4 requests have no response.
            Warning: not everything could be recorded (buffer full 12), so the totals are
            too low.
            """#
        let report = try TrafficReport(of: store, by: .api, limit: 1)
        #expect(report.table(TextStyle(width: 80)) == expected + "\n")
        let remainder = try #require(report.remainder)
        #expect(remainder.up.total + report.rows[0].up.total == report.totals.up.total)
    }

    @Test("Colour only where it is wanted, and never in the way of the widths")
    func colour() throws {
        let report = try TrafficReport(of: threeAPIs, by: .api)
        let coloured = report.table(TextStyle(width: 80, hasColour: true))
        let codes = ["[1m", "[2m", "[31m", "[33m", "[0m"].map { "\u{1B}" + $0 }
        let plain = codes.reduce(coloured) { $0.replacingOccurrences(of: $1, with: "") }
        #expect(coloured.contains("\u{1B}[31m"))
        #expect(plain == report.table(TextStyle(width: 80)))
    }

    @Test("An empty store is said to be empty")
    func empty() throws {
        for grouping in TrafficGrouping.allCases {
            let report = try TrafficReport(of: FakeStore(), by: grouping)
            #expect(report.table() == "No requests.\n")
            #expect(report.totals.capturedShare == 1)
        }
    }

    @Test("Names from the wire cannot steer the terminal, and wide characters and huge numbers keep the columns")
    func hostile() throws {
        let store = FakeStore(groups: [
            .path: [
                total(
                    TrafficTotal.Key(method: "GET", host: "h", path: "/\u{1B}[2J\u{202E}\n"), requests: 1,
                    up: parts(fields: 1), down: parts(), milliseconds: [1]),
                total(
                    TrafficTotal.Key(method: "GET", host: "h", path: "/日本/e\u{301}"), requests: Int64.max / 2,
                    up: parts(fields: Int64.max), down: parts(body: Int64.max), milliseconds: [1]),
            ]
        ])
        let table = try TrafficReport(of: store, by: .path).table(TextStyle(width: 140))
        #expect(table.contains(#"/\x1B[2J\u{202E}\n"#))
        #expect(table.contains("4,611,686,018,427,387,903"))
        #expect(table.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        let widths = Set(table.split(separator: "\n").prefix(4).map { TerminalText.width(String($0)) })
        #expect(widths.count == 1, "\(table)")
    }

    @Test(
        "Rows are sorted by the requested column",
        arguments: [
            (TrafficReport.Sort.bytes, ["/v2", "/users", "/gone"]), (.up, ["/v2", "/users", "/gone"]),
            (.down, ["/users", "/v2", "/gone"]), (.requests, ["/users", "/v2", "/gone"]),
            (.failures, ["/users", "/gone", "/v2"]), (.latency, ["/v2", "/users", "/gone"]),
            (.name, ["/gone", "/users", "/v2"]),
        ])
    func sorting(sort: TrafficReport.Sort, order: [String]) throws {
        let rows = try TrafficReport(of: threeAPIs, by: .api, sort: sort).rows
        #expect(rows.map { "/" + ($0.key.template ?? "").split(separator: "/")[0] } == order)
    }

    @Test("A report by rows says how many requests have none")
    func thinnedOut() throws {
        let kept = total(TrafficTotal.Key(status: 0), requests: 3, up: parts(fields: 9), down: parts())
        let all = total(TrafficTotal.Key(method: "GET"), requests: 10, up: parts(fields: 30), down: parts())
        let report = try TrafficReport(of: FakeStore(groups: [.path: [kept], .method: [all]]), by: .path)
        #expect(report.thinnedOut == 7)
        #expect(report.table().contains("Rows of 7 more requests are not kept"))
    }
}
