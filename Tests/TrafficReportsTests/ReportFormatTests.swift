import Foundation
import TestSupport
import Testing
import TrafficModel

@testable import TrafficReports

@Suite struct ReportFormatTests {
    private func object(_ json: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    @Test("JSON has the promised members, and parses")
    func json() throws {
        var store = threeAPIs
        store.losses = [TrafficLoss(reason: .storeFailed, count: 2)]
        let report = try object(TrafficReport(of: store, by: .api, limit: 2).json)
        #expect(report["by"] as? String == "api")
        let rows = try #require(report["apis"] as? [[String: Any]])
        #expect(rows.count == 2)
        let users = try #require(rows.last)
        #expect(users["method"] as? String == "GET")
        #expect(users["host"] as? String == "api.example.com")
        #expect(users["template"] as? String == "/users/{id}")
        #expect(users["requests"] as? Int == 1_200)
        #expect(users["responses"] as? Int == 1_198)
        #expect(users["unanswered"] as? Int == 2)
        #expect(users["failures"] as? Int == 3)
        #expect(users["up"] as? Int == 240_000)
        #expect(users["down"] as? Int == 4_800_000)
        #expect(users["captured"] as? Int == 1)
        let down = try #require((users["parts"] as? [String: [String: Int]])?["down"])
        #expect(
            down == ["startLine": 0, "fields": 300_000, "cookies": 0, "interim": 0, "body": 4_500_000, "framing": 0])
        let latency = try #require(users["latency"] as? [String: Double])
        #expect(Set(latency.keys) == ["p50", "p90", "p95", "p99"])
        #expect(abs(latency["p50", default: 0] - 20) < 0.24)
        let more = try #require(report["more"] as? [String: Any])
        #expect(more["rows"] as? Int == 1)
        #expect(more["name"] as? String == "other APIs (1)")
        let totals = try #require(report["totals"] as? [String: Any])
        #expect(totals["requests"] as? Int == 1_214)
        let losses = try #require(totals["losses"] as? [[String: Any]])
        #expect(losses.first?["reason"] as? String == "store failed")
        #expect(losses.first?["count"] as? Int == 2)
    }

    @Test("Beyond a thousand paths, or beyond the limit, the others are one row in every format")
    func otherPaths() throws {
        let paths = (1...1_003).map { number in
            total(
                TrafficTotal.Key(method: "GET", host: "h", path: "/\(number)"), requests: 2,
                up: parts(fields: Int64(number)), down: parts())
        }
        let store = FakeStore(groups: [.path: paths])
        let report = try TrafficReport(of: store, by: .path)
        #expect(report.rows.count == 1_000)
        #expect(report.totals.requests == 2_006)
        // The three smallest.
        #expect(report.remainder?.sums.up.total == 6)
        #expect(report.table().contains("other paths (3)"))
        #expect(report.markdown().contains("|  |  | other paths (3) | 6 |"))
        let lines = report.csv.components(separatedBy: "\r\n")
        #expect(lines.count == 1 + 1_000 + 1 + 1)
        #expect(lines[1_001].hasPrefix(",,other paths (3),6,"))
        let more = try #require(try object(report.json)["more"] as? [String: Any])
        #expect(more["rows"] as? Int == 3)
        #expect(more["name"] as? String == "other paths (3)")
        #expect(more["requests"] as? Int == 6)
        // A limit may be larger, too.
        #expect(try TrafficReport(of: store, by: .path, limit: 1_002).remainingRows == 1)
        #expect(try TrafficReport(of: store, by: .path, limit: 2_000).remainder == nil)
    }

    @Test("Each grouping names its array in the plural")
    func plurals() throws {
        let names = ["apis", "hosts", "paths", "statuses", "types", "methods", "processes", "devices"]
        for (grouping, name) in zip(TrafficGrouping.allCases, names) {
            let report = try object(TrafficReport(of: FakeStore(), by: grouping).json)
            #expect((report[name] as? [Any])?.isEmpty == true)
            #expect(report["more"] is NSNull)
        }
    }

    @Test("No status and no type are null")
    func nulls() throws {
        let none = total(TrafficTotal.Key(status: 0, contentType: ""), requests: 1, up: parts(), down: parts())
        let store = FakeStore(groups: [.status: [none], .type: [none]])
        for (grouping, name) in [(TrafficGrouping.status, "status"), (.type, "contentType")] {
            let report = try object(TrafficReport(of: store, by: grouping).json)
            #expect((report[grouping.plural] as? [[String: Any]])?.first?[name] is NSNull)
        }
    }

    @Test("CSV quotes what RFC 4180 says, and ends its lines with CRLF")
    func csv() throws {
        let odd = total(
            TrafficTotal.Key(method: "GET", host: "h", path: "/a,\"b\"\r\n"), requests: 1, up: parts(fields: 7),
            down: parts(body: 8, captured: 3))
        let csv = try TrafficReport(of: FakeStore(groups: [.path: [odd]]), by: .path).csv
        #expect(
            csv.hasPrefix(
                "method,host,path,requests,responses,unanswered,failures,up,down,upStartLine,upFields,upCookies,"
                    + "upInterim,upBody,upFraming,downStartLine,downFields,downCookies,downInterim,downBody,downFraming,"
                    + "captured,p50Ms,p90Ms,p95Ms,p99Ms,"))
        #expect(
            csv.contains(
                "\r\nGET,h,\"/a,\"\"b\"\"\r\n\",1,1,0,0,7,8,0,7,0,0,0,0,0,0,0,0,8,0,0.6666666666666666,,,,,"))
    }

    @Test("Markdown is a table that a path cannot break")
    func markdown() throws {
        let expected = #"""
            | Method | Host | API | Requests | Failed | Fail % | Up | Down | Total | Per call | Call p95 | p50 | p95 | Captured | Headers | Cookies | Compression | 304 | Reused | No response | Last seen (UTC) | First seen (UTC) |
            | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
            | POST | upload.cdn.example.net | /v2/organisations/{uuid}/uploads/{date}/images/{id}.png | 12 | 0 | – | 61.0 MB | 3.0 KB | 61.0 MB | – | – | 1.5 s | 1.5 s | 99.9 % | <0.1 % | – | – | – | – | – | – | – |
            |  |  | other APIs (2) | 1,202 | 5 | 0.4 % | 240.2 KB | 4.8 MB | 5.0 MB | – | – | 20.0 ms | 398.3 ms | 100 % | 10.7 % | – | – | – | – | 4 | – | – |
            |  |  | **Total** | 1,214 | 5 | 0.4 % | 61.2 MB | 4.8 MB | 66.0 MB | – | – | 30.3 ms | 1.5 s | 99.9 % | 0.8 % | – | – | – | – | 4 | – | – |

            99.9 % of 66.0 MB was captured; ~ marks sums of which a part is reported or reconstructed.
            """#
        #expect(try TrafficReport(of: threeAPIs, by: .api, limit: 1).markdown() == expected + "\n")
        let odd = total(TrafficTotal.Key(host: "a|b\n<x>`"), requests: 1, up: parts(), down: parts())
        let markdown = try TrafficReport(of: FakeStore(groups: [.host: [odd]]), by: .host).markdown()
        #expect(markdown.contains(#"| a\|b\\n\<x\>\` | 1 |"#))
    }
}
