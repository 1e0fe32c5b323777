import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

/// What reports say of the bytes beside the messages.
@Suite("Overhead in reports")
struct OverheadTests {
    /// An API in TLS, one in the clear, and one of whose connections nothing is known.
    private static let store: FakeStore = {
        func one(_ template: String, sharing: Int64, _ overhead: ByteFlow, _ headers: ByteFlow) -> TrafficTotal {
            var one = total(
                api("GET", "a.example", template), requests: 10, up: parts(fields: 1_000),
                down: parts(fields: 2_000, body: 97_000), milliseconds: [10])
            one.newConnections = 10
            one.sharing = sharing
            one.overhead = overhead
            one.packetHeaders = headers
            return one
        }
        return FakeStore(groups: [
            .api: [
                one("/tls", sharing: 10, ByteFlow(up: 8_000, down: 32_000), ByteFlow(up: 5_200, down: 10_400)),
                one("/clear", sharing: 10, .zero, ByteFlow(up: 1_040, down: 2_080)),
                one("/unknown", sharing: 0, .zero, .zero),
            ]
        ])
    }()

    private func rows(_ store: FakeStore) throws -> [String: [String: Any]] {
        let json = try TrafficReport(of: store, by: .api).json
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let rows = try #require(report["apis"] as? [[String: Any]])
        let totals = try #require(report["totals"] as? [String: Any])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0["template"] as? String ?? "", $0) } + [("", totals)])
    }

    @Test("JSON has it beside the messages, with an estimate that says it is one")
    func json() throws {
        let rows = try rows(Self.store)
        #expect(rows["/tls"]?["overhead"] as? [String: Int] == ["up": 8_000, "down": 32_000, "exchanges": 10])
        let packets = try #require(rows["/tls"]?["ipBytes"] as? [String: Any])
        #expect(packets["up"] as? Int == 1_000 + 8_000 + 5_200)
        #expect(packets["down"] as? Int == 99_000 + 32_000 + 10_400)
        #expect(packets["estimated"] as? Bool == true)
        #expect(rows["/clear"]?["overhead"] as? [String: Int] == ["up": 0, "down": 0, "exchanges": 10])
        #expect(rows["/unknown"]?["overhead"] is NSNull && rows["/unknown"]?["ipBytes"] is NSNull)
        #expect(rows[""]?["overhead"] as? [String: Int] == ["up": 8_000, "down": 32_000, "exchanges": 20])
        #expect(rows["/tls"]?["up"] as? Int == 1_000, "the messages stay what they are")
    }

    @Test("CSV has it after the other figures, and nothing where it is not known")
    func csv() throws {
        let lines = try TrafficReport(of: Self.store, by: .api, sort: .overhead).csv.components(separatedBy: "\r\n")
        let names =
            "overheadUp,overheadDown,ipBytesUpEstimated,ipBytesDownEstimated,failureRate,incomplete,unknownUp,unknownDown"
        #expect(lines[0].contains(",\(names),queueP50Ms,"))
        // The phases follow, and nothing is known of them.
        let phases = String(repeating: ",", count: 12)
        #expect(lines[1].contains(",8000,32000,14200,141400,0,0,0,0" + phases + ",called,"))
        #expect(lines.contains { $0.contains(",0,0,2040,101080,0,0,0,0" + phases + ",called,") })
        #expect(lines.contains { $0.contains("/unknown") && $0.contains(",,,,,0,0,0,0" + phases + ",called,") })
    }

    @Test("The table at 120 columns, its notes with it")
    func table() throws {
        let expected = #"""
            Method  Host       API       Requests  Failed      Up      Down     Total  Per call  Overhead      p50      p95
            GET     a.example  /clear          10       –  1.0 KB   99.0 KB  100.0 KB         –       0 B  10.0 ms  10.0 ms
            GET     a.example  /tls            10       –  1.0 KB   99.0 KB  100.0 KB         –   40.0 KB  10.0 ms  10.0 ms
            GET     a.example  /unknown        10       –  1.0 KB   99.0 KB  100.0 KB         –         –  10.0 ms  10.0 ms
            ───────────────────────────────────────────────────────────────────────────────────────────────────────────────
                               Total           30       –  3.0 KB  297.0 KB  300.0 KB         –   40.0 KB  10.0 ms  10.0 ms
            100 % of 300.0 KB was captured, exact to the byte.
            Connection overhead (TLS, HTTP/2): 40.0 KB, 11.7 % of the total; not known for 10 of 30 exchanges. Estimated total with
            TCP/IP headers: 358.7 KB.
            """#
        let table = try TrafficReport(of: Self.store, by: .api).table(TextStyle(width: 120))
        #expect(table == expected + "\n")
    }

    @Test("No line is wider than the terminal, and the overhead is there from 93 columns on", arguments: 40...200)
    func fits(width: Int) throws {
        let table = try TrafficReport(of: Self.store, by: .api).table(TextStyle(width: width))
        for line in table.split(separator: "\n") { #expect(TerminalText.width(String(line)) <= width) }
        #expect((table.split(separator: "\n").first?.contains("Overhead") ?? false) == (width >= 93), "\(width)")
    }

    @Test("In the clear there is no column for it, only the estimate")
    func clear() throws {
        let clear = FakeStore(groups: [.api: (Self.store.groups[.api] ?? []).filter { $0.key.template == "/clear" }])
        let report = try TrafficReport(of: clear, by: .api)
        let table = report.table(TextStyle(width: 200))
        #expect(!table.contains("Overhead") && table.contains("With IP ≈"))
        #expect(table.contains("Connection overhead (TLS, HTTP/2): none."))
        #expect(report.markdown().contains("| Call p95 | With IP ≈ |"))
        #expect(try TrafficReport(of: Self.store, by: .api).markdown().contains("| Call p95 | Overhead | With IP ≈ |"))
        #expect(try TrafficReport(of: Self.store, by: .api).markdown().contains("TCP/IP headers: 358.7 KB"))
    }

    @Test("One exchange shows its share")
    func exchange() throws {
        var exchange = sampleExchange
        exchange.end?.share = ConnectionShare(
            overhead: ByteFlow(up: 1_253, down: 1_742), packetHeaders: ByteFlow(up: 572, down: 520))
        #expect(
            ExchangeLine(exchange).ndjson.hasSuffix(
                #""overhead":{"up":1253,"down":1742},"packetHeaders":{"up":572,"down":520,"estimated":true},"#
                    + #""direction":"called"}"#))
        let sheet = ExchangeSheet(exchange, TextStyle(width: 80)).text
        #expect(sheet.contains("Overhead    TLS and HTTP/2, bytes: 1,253 up, 1,742 down\n"))
        #expect(sheet.contains("IP and TCP  headers, estimated bytes: 572 up, 520 down\n"))
        exchange.end?.share?.overhead = .zero
        #expect(ExchangeSheet(exchange, TextStyle(width: 80)).text.contains("Overhead    none\n"))
    }
}
