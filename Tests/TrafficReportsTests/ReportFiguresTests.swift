import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

/// What a report says beside counts and bytes, in every format.
@Suite("Figures in reports")
struct ReportFiguresTests {
    /// One API with every figure, and one with none.
    private static let store: FakeStore = {
        var full = total(
            api("GET", "a.example", "/full"), requests: 100, responses: 97, failures: 5,
            up: parts(fields: 300, body: 100), down: parts(fields: 100, body: 500), milliseconds: [10, 20])
        full.up.cookies = 50
        full.down.cookies = 25
        full.notModified = 12
        full.newConnections = 10
        full.reusedConnections = 90
        full.encodedBody = 1_000
        full.decodedBody = 4_250
        for milliseconds in Int64(1)...100 {
            full.phases.dns.record(nanoseconds: milliseconds * 1_000_000)
            full.phases.wait.record(nanoseconds: milliseconds * 2_000_000)
            full.phases.queue.record(nanoseconds: milliseconds * 3_000_000)
        }
        full.phases.send.record(nanoseconds: 4_000_000)
        full.phases.unattributed.record(nanoseconds: 5_000_000)
        full.phases.connect.record(nanoseconds: 7_000_000)
        full.firstSeen = Timestamp(nanoseconds: 1_763_683_200_000_000_000)
        full.lastSeen = Timestamp(nanoseconds: 1_763_690_430_000_000_000)
        let empty = total(api("GET", "a.example", "/empty"), requests: 0, up: parts(), down: parts())
        return FakeStore(groups: [.api: [full, empty]])
    }()

    private func rows() throws -> [[String: Any]] {
        let json = try TrafficReport(of: Self.store, by: .api).json
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        return try #require(report["apis"] as? [[String: Any]])
    }

    @Test("JSON has them, and null if they are unknown")
    func json() throws {
        let rows = try rows()
        let full = try #require(rows.first)
        #expect(full["headers"] as? Double == 0.4)
        #expect(full["cookies"] as? Double == 0.075)
        #expect(full["notModified"] as? Int == 12)
        let compression = try #require(full["compression"] as? [String: Double])
        #expect(compression == ["encoded": 1_000, "decoded": 4_250, "ratio": 4.25])
        let connections = try #require(full["connections"] as? [String: Double])
        #expect(connections == ["new": 10, "reused": 90, "reuse": 0.9])
        #expect(full["firstSeen"] as? String == "2025-11-21T00:00:00.000000Z")
        #expect(full["lastSeen"] as? String == "2025-11-21T02:00:30.000000Z")
        let phases = try #require(full["phases"] as? [String: [String: Any]])
        #expect(
            Set(phases.keys) == [
                "queue", "dns", "connect", "tls", "send", "wait", "receive", "unattributed",
            ])
        let wait = try #require(phases["wait"])
        #expect(wait["count"] as? Int == 100)
        for (name, exact) in [("p50", 100.0), ("p90", 180), ("p95", 190), ("p99", 198)] {
            let told = try #require(wait[name] as? Double)
            #expect(abs(told - exact) <= exact * 0.011, "\(name): \(told)")
        }
        #expect(phases["tls"]?["count"] as? Int == 0)
        #expect(phases["tls"]?["p50"] is NSNull)

        let empty = try #require(rows.last)
        #expect(empty["headers"] is NSNull)
        #expect((empty["compression"] as? [String: Any])?["ratio"] is NSNull)
        #expect((empty["connections"] as? [String: Any])?["reuse"] is NSNull)
    }

    @Test("JSON says that percentiles come from a histogram, and what was counted")
    func provenance() throws {
        for grouping in TrafficGrouping.allCases {
            let json = try TrafficReport(of: FakeStore(), by: grouping).json
            let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            let percentiles = try #require(report["percentiles"] as? [String: Any])
            #expect(percentiles["from"] as? String == "histogram")
            #expect(percentiles["errorAtMost"] as? Double == 0.011)
            #expect(report["countedFrom"] as? String == (grouping == .path || grouping == .network ? "rows" : "totals"))
            #expect(report["timeline"] is NSNull)
        }
    }

    @Test("CSV has a column for each, after the older columns")
    func csv() throws {
        let lines = try TrafficReport(of: Self.store, by: .api).csv.components(separatedBy: "\r\n")
        let names = lines[0].components(separatedBy: ",")
        #expect(names.prefix(9).last == "down")
        #expect(Set(names).count == names.count)
        func values(_ line: String) -> [String: String] {
            Dictionary(uniqueKeysWithValues: zip(names, line.components(separatedBy: ",")))
        }
        #expect(lines[1].components(separatedBy: ",").count == names.count)
        let full = values(lines[1])
        let expected = [
            "headers": "0.4", "cookies": "0.075", "encodedBody": "1000", "decodedBody": "4250", "compression": "4.25",
            "notModified": "12", "newConnections": "10", "reusedConnections": "90", "reuse": "0.9", "tlsP50Ms": "",
            "firstSeen": "2025-11-21T00:00:00.000000Z", "lastSeen": "2025-11-21T02:00:30.000000Z",
        ]
        for (name, value) in expected { #expect(full[name] == value, "\(name)") }
        #expect(abs((Double(full["dnsP95Ms"] ?? "") ?? 0) - 95) <= 95 * 0.011)
        #expect(abs((Double(full["queueP50Ms"] ?? "") ?? 0) - 150) <= 150 * 0.011)
        #expect(abs((Double(full["sendP50Ms"] ?? "") ?? 0) - 4) <= 4 * 0.011)
        #expect(abs((Double(full["unattributedP99Ms"] ?? "") ?? 0) - 5) <= 5 * 0.011)
        #expect(names.suffix(13).prefix(3) == ["unattributedP99Ms", "direction", "total"])
        let empty = values(lines[2])
        for name in ["headers", "compression", "reuse", "dnsP50Ms", "firstSeen"] { #expect(empty[name] == "") }
    }

    @Test("Markdown has them after the older columns, and the phases on request")
    func markdown() throws {
        let report = try TrafficReport(of: Self.store, by: .api)
        let bytes = report.markdown().split(separator: "\n")
        #expect(
            bytes[0].hasSuffix(
                "| Captured | Headers | Cookies | Compression | 304 | Reused | No response | Last seen (UTC) | First seen (UTC) |"
            ))
        #expect(
            bytes[2].hasSuffix(
                "| 40.0 % | 7.5 % | 4.3× | 12 | 90.0 % | 3 | 2025-11-21 02:00 | 2025-11-21 00:00 |"))
        let latency = report.markdown(.latency).split(separator: "\n").filter { $0.hasPrefix("|") }
        #expect(latency[0].split(separator: "|").count == 3 + 1 + 9 * 4 + 0)
        #expect(latency[0].contains("| Queue p99 | DNS p50 | DNS p90 | DNS p95 | DNS p99 | Connect p50 |"))
        #expect(
            latency[0].contains("| TLS p99 | Send p50 |") && latency[0].contains("| Receive p99 | Unattributed p50 |"))
        #expect(latency[0].hasSuffix("| Total p50 | Total p90 | Total p95 | Total p99 |"))
        #expect(Set(latency.map { $0.split(separator: "|", omittingEmptySubsequences: false).count }).count == 1)
    }

    @Test("The table of phases fits the terminal and keeps the whole and the wait longest", arguments: [80, 120, 200])
    func latencyTable(width: Int) throws {
        let table = try TrafficReport(of: Self.store, by: .api).table(TextStyle(width: width), .latency)
        let lines = table.split(separator: "\n")
        #expect(lines.allSatisfy { TerminalText.width(String($0)) <= width })
        let header = String(lines[0])
        #expect(header.contains("Total p95") && header.contains("Wait p95"))
        #expect(header.contains("DNS p95") == (width >= 120), "\(header)")
        #expect(header.contains("p99") == (width >= 200), "\(header)")
    }

    @Test(
        "Sorting by a figure puts the largest first",
        arguments: [
            TrafficReport.Sort.unanswered, .headers, .cookies, .queue, .dns, .connect, .send, .wait, .unattributed,
            .recent,
        ])
    func sorting(sort: TrafficReport.Sort) throws {
        #expect(try TrafficReport(of: Self.store, by: .api, sort: sort).rows.first?.key.template == "/full")
        let reversed = FakeStore(groups: [.api: Array((Self.store.groups[.api] ?? []).reversed())])
        #expect(try TrafficReport(of: reversed, by: .api, sort: sort).rows.first?.key.template == "/full")
    }

    @Test("By path the report says that rows are counted")
    func rowsNote() throws {
        let one = total(TrafficTotal.Key(method: "GET", host: "h", path: "/"), requests: 1, up: parts(), down: parts())
        let store = FakeStore(groups: [.path: [one], .method: [one], .status: [one]])
        let range = TimeRange(since: Timestamp(nanoseconds: 0))
        let note = "Counted from the rows that are kept"
        #expect(try TrafficReport(of: store, by: .path, in: range).table().contains(note))
        #expect(try TrafficReport(of: store, by: .path, in: range).markdown().contains(note))
        #expect(try !TrafficReport(of: store, by: .path).table().contains("rows"))
        #expect(try !TrafficReport(of: store, by: .status, in: range).table().contains("rows"))
    }

    @Test("Names of processes cannot steer the terminal")
    func hostileProcess() throws {
        let evil = total(
            TrafficTotal.Key(process: "a\u{1B}[2J|b\n"), requests: 1, up: parts(fields: 1), down: parts())
        let report = try TrafficReport(of: FakeStore(groups: [.process: [evil]]), by: .process)
        for text in [report.table(), report.json, report.markdown(), report.table(TextStyle(width: 80), .latency)] {
            #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        }
        #expect(report.table().contains(#"a\x1B[2J|b\n"#))
        #expect(report.markdown().contains(#"| a\\x1B\[2J\|b\\n |"#))
    }
}

/// Bars under a table.
@Suite("Sparklines")
struct SparklineTests {
    private static let begin = Timestamp(nanoseconds: 1_763_683_200_000_000_000)

    private func timeline(_ requests: [Int64], minutes: Int64 = 1) -> TrafficTimeline {
        let step = minutes * 60_000_000_000
        let last = Timestamp(nanoseconds: Self.begin.nanoseconds + Int64(requests.count - 1) * step)
        var timeline = TrafficTimeline(from: Self.begin, to: last, limit: 1_000, leastStep: minutes)
        for (index, count) in requests.enumerated() where count > 0 {
            timeline.add(
                TrafficTimeline.Slot(
                    begin: Timestamp(nanoseconds: Self.begin.nanoseconds + Int64(index) * step + 1), requests: count,
                    up: ByteCount(count * 10), down: ByteCount(count * 100)))
        }
        return timeline
    }

    @Test("A bar is as high as its share of the highest, and a gap is a blank")
    func bars() {
        #expect(TrafficReport.bars(of: [0, 1, 2, 4, 5, 6, 8, 7, 3]) == " ▁▂▄▅▆█▇▃")
        #expect(TrafficReport.bars(of: [1, 1_000_000]) == "▁█")
        #expect(TrafficReport.bars(of: [0, 0]) == "  ")
        #expect(TrafficReport.bars(of: [Int64.max, Int64.max / 2, 1]) == "█▄▁")
        #expect(TrafficReport.bars(of: []) == "")
    }

    @Test("Two lines show requests and bytes, and a third the time range")
    func lines() throws {
        var store = threeAPIs
        store.timeline = timeline([8, 0, 4, 1])
        let table = try TrafficReport(of: store, by: .api, slots: 50).table(TextStyle(width: 80))
        #expect(
            table.contains(
                """
                Requests  █ ▄▁  at most 8
                Bytes     █ ▄▁  at most 880 B
                2025-11-21 00:00 to 2025-11-21 00:03 UTC, 1 min a bar

                """))
        #expect(try !TrafficReport(of: store, by: .api).table(TextStyle(width: 80)).contains("█"))
        store.timeline = timeline([8])
        #expect(try !TrafficReport(of: store, by: .api, slots: 50).table(TextStyle(width: 80)).contains("█"))
    }

    @Test("No line is wider than the terminal", arguments: [20, 40, 60, 80, 120, 200])
    func widths(width: Int) throws {
        var store = threeAPIs
        let slots = TrafficReport.slots(fitting: width)
        store.timeline = timeline((0..<Int64(slots)).map { $0 + 1 }, minutes: 60)
        let report = try TrafficReport(of: store, by: .api, slots: slots)
        for line in report.sparklines(TextStyle(width: width)).split(separator: "\n") {
            #expect(TerminalText.width(String(line)) <= width, "\(line)")
        }
        #expect(report.sparklines(TextStyle(width: 200)).contains("1 h a bar"))
    }

    @Test("JSON has the slots")
    func json() throws {
        var store = threeAPIs
        store.timeline = timeline([2, 0, 1])
        let json = try TrafficReport(of: store, by: .api, slots: 60).json
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let timeline = try #require(report["timeline"] as? [String: Any])
        #expect(timeline["seconds"] as? Int == 60)
        let slots = try #require(timeline["slots"] as? [[String: Any]])
        #expect(slots.map { $0["requests"] as? Int } == [2, 0, 1])
        #expect(slots.map { $0["down"] as? Int } == [200, 0, 100])
        #expect(slots.first?["begin"] as? String == "2025-11-21T00:00:00.000000Z")
    }
}
