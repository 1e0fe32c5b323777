import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel

@testable import TrafficReports

@Suite struct ExchangeTests {
    @Test("The NDJSON line, member by member")
    func line() throws {
        let expected = #"""
            {"exchange":42,"task":40,"resendCount":2,"pid":7,"process":"app","startedAt":"2026-11-21T10:00:00.123456Z",
            "sentAt":"2026-11-21T10:00:00.138456Z","endedAt":"2026-11-21T10:00:00.223456Z","method":"GET","url":"https://api.example.com/users/42?a=1",
            "scheme":"https","host":"api.example.com","port":443,"authority":"api.example.com","path":"/users/42","query":"a=1",
            "template":"/users/{id}","httpVersion":"1.1","request":{"startLine":29,"fields":1230,"cookies":20,
            "interim":0,"body":0,"framing":0,"total":1259,"evidence":"captured","bodyDigest":null},
            "response":{"status":200,"reason":"OK","httpVersion":"1.1","firstByteAt":"2026-11-21T10:00:00.150000Z",
            "contentType":"text/html","contentEncoding":"gzip","startLine":17,"fields":120,"cookies":0,"interim":0,
            "body":2000,"framing":14,"total":2151,"evidence":"reconstructed","margin":33,
            "evidenceByPart":{"startLine":"captured","fields":"reconstructed","cookies":"captured",
            "interim":"captured","body":"captured","framing":"captured"},"decodedBody":9000,
            "bodyDigest":"00000000000000ff"},"outcome":"completed","error":null,"errorCode":null,
            "errorDomain":null,"failed":false,
            "timings":{"queue":null,"dns":5,"connect":10,"tls":null,"send":0.1,"wait":60,"receive":20.9,
            "unattributed":4,"total":100},"connection":3,"reused":false,"remoteAddress":"10.0.0.1:443",
            "network":null,"overhead":null,"packetHeaders":null,"direction":"called"}
            """#
        let line = ExchangeLine(sampleExchange).ndjson
        #expect(line == expected.split(separator: "\n").joined())
        _ = try JSONSerialization.jsonObject(with: Data(line.utf8))
    }

    @Test("An exchange without a response has nulls, not holes")
    func unanswered() throws {
        var request = sampleRequest
        request.size.body = .unknown
        let json = try JSONSerialization.jsonObject(
            with: Data(ExchangeLine(StoredExchange(Exchange(request: request))).ndjson.utf8))
        let object = try #require(json as? [String: Any])
        for name in ["response", "outcome", "error", "connection", "reused", "remoteAddress", "endedAt"] {
            #expect(object[name] is NSNull, "\(name)")
        }
        let timings = try #require(object["timings"] as? [String: Any])
        #expect(
            Set(timings.keys) == ["queue", "dns", "connect", "tls", "send", "wait", "receive", "unattributed", "total"])
        #expect(timings.values.allSatisfy { $0 is NSNull })
        let size = try #require(object["request"] as? [String: Any])
        #expect(size["body"] is NSNull)
        #expect(size["total"] is NSNull)
        #expect(size["evidence"] as? String == "unknown")
        #expect((size["evidenceByPart"] as? [String: String])?["fields"] == "captured")
    }

    @Test("The list at 60, 80, 120 and 160 columns")
    func list() {
        let expected = #"""
            Exchange  Method   Status  URL                          Down
                  42  GET         200  https://api…ers/42?a=1    ~2.2 KB
                  42  GET           –  https://api…ers/42?a=1          –
            Exchange  Method   Status  URL                                  Down    Duration
                  42  GET         200  https://api.exa…m/users/42?a=1    ~2.2 KB    100.0 ms
                  42  GET           –  https://api.exa…m/users/42?a=1          –           –
            Exchange  Time (UTC)    Method   Status  URL                                        Up       Down    Duration  Outcome
                  42  10:00:00.123  GET         200  https://api.examp…com/users/42?a=1     1.3 KB    ~2.2 KB    100.0 ms  completed
                  42  10:00:00.123  GET           –  https://api.examp…com/users/42?a=1     1.3 KB          –           –  running
            Exchange  Time (UTC)    Method   Status  URL                                                       Type                     Up       Down    Duration  Outcome
                  42  10:00:00.123  GET         200  https://api.example.com/users/42?a=1                      text/html            1.3 KB    ~2.2 KB    100.0 ms  completed
                  42  10:00:00.123  GET           –  https://api.example.com/users/42?a=1                                           1.3 KB          –           –  running
            """#
        let lines = [60, 80, 120, 160].flatMap { width in
            let table = ExchangeTable(TextStyle(width: width))
            return [
                table.header, table.line(sampleExchange), table.line(StoredExchange(Exchange(request: sampleRequest))),
            ]
        }
        #expect(lines.joined(separator: "\n") == expected)
    }

    @Test("80 columns have room for both directions and the duration, and no number is cut")
    func narrow() {
        let table = ExchangeTable(TextStyle(width: 80), measuring: [sampleExchange])
        #expect(table.header == "Exchange  Method  Status  URL                             Up      Down  Duration")
        var later = sampleExchange
        later.request.size.body = WireSize.Part(998_000, .reported)
        #expect(table.line(later).contains("  ~999.3 KB  "))
    }

    @Test("The sheet adds up, part by part")
    func sheet() {
        let expected = #"""
            GET https://api.example.com/users/42?a=1
            Exchange    42, attempt 3 of task 40
            Process     app (7)
            API         GET api.example.com /users/{id}
            Started     2026-11-21 10:00:00.123456 UTC
            Sent        2026-11-21 10:00:00.138456 UTC
            Status      200 OK
            Outcome     completed
            Connection  3, new to 10.0.0.1:443, HTTP/1.1

            Request (bytes)
              start line                 29  captured
              headers                 1,230  captured
                of which cookies         20  captured
              interim responses           0  captured
              body                        0  captured
              framing                     0  captured
              ──────────────────────────────────────────
              total                   1,259  captured

            Response (bytes)
              start line                 17  captured
              headers                   120  reconstructed
                of which cookies          0  captured
              interim responses           0  captured
              body                    2,000  captured
              framing                    14  captured
              ──────────────────────────────────────────
              total                   2,151  reconstructed ± 33
              body after decoding from gzip: 9,000, captured

            Time
              DNS             5.0 ms  ██▋
              connect        10.0 ms    █████▎
              send            100 µs         ▏
              wait           60.0 ms         ███████████████████████████████▎
              receive        20.9 ms                                         ██████████▉
              unattributed    4.0 ms                                                   ██▏
              total         100.0 ms

            Request headers (secrets replaced)
              GET /users/42?a=1 HTTP/1.1
              Host: api.example.com
              Cookie: a=[redacted 9 B]

            Response headers (secrets replaced)
              HTTP/1.1 200 OK
              Content-Type: text/html
            """#
        #expect(ExchangeSheet(sampleExchange, TextStyle(width: 80)).text == expected + "\n")
    }

    @Test("The version is that of each message, and none where nothing was sent")
    func versions() throws {
        func sheet(_ sent: String, _ received: String?) -> (connection: String?, line: [String: Any]) {
            var exchange = sampleExchange
            exchange.request.httpVersion = sent
            if let received { exchange.response?.httpVersion = received } else { exchange.response = nil }
            let text = ExchangeSheet(exchange).text
            #expect(!text.contains("HTTP/\n") && !text.contains("HTTP/ ") && !text.contains("HTTP/,"))
            let line = try? JSONSerialization.jsonObject(with: Data(ExchangeLine(exchange).ndjson.utf8))
            return (
                text.split(separator: "\n").first { $0.hasPrefix("Connection") }.map(String.init),
                line as? [String: Any] ?? [:]
            )
        }
        #expect(sheet("1.1", "1.1").connection == "Connection  3, new to 10.0.0.1:443, HTTP/1.1")
        // What `connections` calls http/1.0.
        let lower = sheet("1.1", "1.0")
        #expect(lower.connection == "Connection  3, new to 10.0.0.1:443, HTTP/1.1, response in HTTP/1.0")
        #expect(lower.line["httpVersion"] as? String == "1.1")
        let refused = sheet("", nil)
        #expect(refused.connection == "Connection  3, new to 10.0.0.1:443")
        #expect(refused.line["httpVersion"] is NSNull)
    }

    @Test("Nothing that came over the wire can steer the terminal")
    func hostile() {
        let sheet = ExchangeSheet(hostileExchange).text
        let line = ExchangeTable(TextStyle(width: 200)).line(hostileExchange) + "\n"
        for text in [sheet, line, ExchangeLine(hostileExchange).ndjson, ExchangeLine(hostileExchange).json] {
            let bad = text.unicodeScalars.filter { scalar in
                scalar != "\n" && [.control, .format].contains(scalar.properties.generalCategory)
            }
            #expect(bad.isEmpty, "\(bad.map(\.value))")
        }
        #expect(sheet.contains(#"G\x1B[2JET https://api.example.com/\x1B]0;owned\x07/\u{202E}x\u{9B}31m?\x1B[31m"#))
        // A line end in a reason phrase would begin a line of its own.
        #expect(sheet.contains(#"200 \x1B[0m\r\n"#))
    }

    @Test("Timings of any size draw bars that fit", arguments: [Int64(0), 1, 1_000, Int64.max / 2, Int64.max])
    func waterfall(duration: Int64) {
        let timings = ExchangeTimings(queue: duration, dns: 0, wait: duration, receive: -5, total: duration)
        for width in [20, 40, 80, 200] {
            let lines = Waterfall(timings, TextStyle(width: width)).lines
            #expect(lines.count == 6)
            #expect(lines.allSatisfy { TerminalText.width($0) <= max(42, width) }, "\(lines)")
        }
    }
}

@Suite("An exchange that a proxy passed on has two legs")
struct TwoLegsTests {
    private var passedOn: StoredExchange {
        var exchange = sampleExchange
        let end = exchange.end!
        var leg = ServerLeg(
            startedAt: Timestamp(nanoseconds: exchange.request.startedAt.nanoseconds + 2_500_000),
            request: exchange.request.size,
            response: exchange.response.map {
                ServerLeg.Response(firstByteAt: $0.firstByteAt, status: 502, size: $0.size)
            },
            end: ExchangeEnd(
                exchange: .notKept, endedAt: end.endedAt, outcome: .cancelled,
                timings: ExchangeTimings(connect: 10_000_000, wait: 40_000_000, total: 97_500_000),
                reusedConnection: false, remoteAddress: "192.0.2.1:80",
                share: ConnectionShare(overhead: ByteFlow(up: 517, down: 3_000))),
            connection: StoredConnection.ID(9))
        leg.request.startLine = .captured(14)
        exchange.end?.serverLeg = leg
        return exchange
    }

    @Test("show has them side by side, with what the proxy changed")
    func sheet() {
        let text = ExchangeSheet(passedOn).text
        let legs = text.components(separatedBy: "\n\n").first { $0.hasPrefix("Both legs") }
        let expected = """
            Both legs (bytes, times)
                                    device      server  difference
              request                1,259       1,244         −15
                start line              29          14         −15
              response               2,151       2,151
              overhead up                –         517
              overhead down              –       3,000
              DNS                   5.0 ms           –
              connect              10.0 ms     10.0 ms
              send                  100 µs           –
              wait                 60.0 ms     40.0 ms    −20.0 ms
              receive              20.9 ms           –
              unattributed          4.0 ms     47.5 ms    +43.5 ms
              total               100.0 ms     97.5 ms     −2.5 ms
              server: connection 9, new to 192.0.2.1:80, begun 2.5 ms after the device's, status 502, cancelled
            """
        #expect(legs == expected)
        let process = passedOn.request.process
        #expect(text.contains("\nDevice      \(process.name), through the proxy of process \(process.pid)\n"))
        #expect(!ExchangeSheet(sampleExchange).text.contains("Both legs"))
    }

    @Test("the JSON has the server's leg, and no other exchange has such a member")
    func json() throws {
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(ExchangeLine(passedOn).ndjson.utf8)) as? [String: Any])
        let leg = try #require(object["serverLeg"] as? [String: Any])
        #expect((leg["request"] as? [String: Any])?["total"] as? Int == 1_244)
        #expect((leg["response"] as? [String: Any])?["status"] as? Int == 502)
        #expect(leg["connection"] as? Int == 9 && leg["outcome"] as? String == "cancelled")
        #expect((leg["overhead"] as? [String: Int]) == ["up": 517, "down": 3_000])
        #expect((leg["timings"] as? [String: Any])?["total"] as? Double == 97.5)
        #expect(!ExchangeLine(sampleExchange).ndjson.contains("serverLeg"))
    }
}
