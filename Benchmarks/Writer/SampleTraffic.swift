import Foundation
import TrafficModel

/// Generates the exchanges of a busy client of a few APIs, the same in every run.
struct SampleTraffic {
    private var chance = Chance(seed: 1)
    private var clock: Int64
    private var date = (second: Int64(0), text: "")
    private var next: Int64 = 1
    private let hasUniqueLines: Bool
    private let dates = SampleTraffic.dateFormatter()

    /// Makes the traffic from its first exchange on.
    ///
    /// - Parameters:
    ///   - hasUniqueLines: whether two of the eight header lines of each response are unique.
    ///   - begin: the start of the first exchange, in nanoseconds since 1970.
    init(hasUniqueLines: Bool, begin: Int64 = 1_763_683_230_000_000_000) {
        self.hasUniqueLines = hasUniqueLines
        clock = begin
    }

    /// Returns the events of the next `exchanges` exchanges, three of each.
    mutating func events(exchanges: Int) -> [TrafficEvent] {
        var events: [TrafficEvent] = []
        events.reserveCapacity(exchanges * 3)
        for _ in 0..<exchanges { append(to: &events) }
        return events
    }

    private mutating func append(to events: inout [TrafficEvent]) {
        let api = random(0...39)
        let isPost = api % 5 == 0
        let template = ["/v1/things\(api)/{id}", "/v1/list\(api)", "/v2/users/{id}/posts\(api)"][Int(api % 3)]
        let path = template.replacing("{id}", with: String(random(1...100_000)))
        let query = random(0...9) < 3 ? "page=\(random(1...20))&per_page=50" : nil
        let up = isPost ? random(50...900) : 0
        clock += random(1_000_000...19_000_000)
        let start = clock
        let wait = random(5_000_000...200_000_000)
        let receive = random(100_000...20_000_000)
        let host = "api\(api % 4).example.com"
        let exchange = ExchangeID(next)
        events.append(
            .request(
                request(
                    exchange, at: start, isPost: isPost, host: host, path: path, query: query, template: template,
                    body: up)))
        events.append(.response(response(to: exchange, at: start + wait)))
        events.append(
            .end(
                ExchangeEnd(
                    exchange: exchange, endedAt: Timestamp(nanoseconds: start + wait + receive), outcome: .completed,
                    timings: ExchangeTimings(
                        queue: random(10_000...200_000), send: random(5_000...90_000), wait: wait, receive: receive,
                        total: wait + receive),
                    connection: ConnectionID(next / 100), reusedConnection: next % 100 != 0,
                    remoteAddress: "10.0.0.\(random(1...4)):443")))
        next += 1
    }

    private mutating func request(
        _ exchange: ExchangeID, at start: Int64, isPost: Bool, host: String, path: String, query: String?,
        template: String, body: Int64
    ) -> RequestRecord {
        let method = isPost ? "POST" : "GET"
        var fields = """
            Host: \(host)\r
            Accept: application/json\r
            Accept-Encoding: gzip, deflate\r
            Accept-Language: en\r
            User-Agent: Example/1.2 (Linux)\r
            Authorization: Bearer redacted\r
            Connection: keep-alive\r\n
            """
        if isPost { fields += "Content-Length: \(body)\r\n" }
        let target = path.utf8.count + (query.map { $0.utf8.count + 1 } ?? 0)
        return RequestRecord(
            exchange: exchange, task: exchange, resendCount: 0, process: ProcessIdentity(pid: 99, name: "app"),
            startedAt: Timestamp(nanoseconds: start), method: method, scheme: "https", host: host, port: 443,
            path: path, query: query, template: template, httpVersion: "1.1",
            fields: FieldSection(bytes: Array(fields.utf8)),
            size: WireSize(
                startLine: .captured(method.utf8.count + target + 12), fields: .captured(fields.utf8.count + 2),
                body: .captured(body)),
            bodyDigest: isPost ? chance.bits() : nil)
    }

    private mutating func response(to exchange: ExchangeID, at time: Int64) -> ResponseRecord {
        let body = random(100...20_000)
        let isFound = random(0...99) < 95
        var fields = """
            Date: \(date(at: time / 1_000_000_000))\r
            Content-Type: application/json; charset=utf-8\r
            Content-Length: \(body)\r
            Content-Encoding: gzip\r
            Server: nginx\r
            Cache-Control: no-store\r\n
            """
        if hasUniqueLines {
            fields += "ETag: \"\(hexadecimal())\"\r\nX-Request-Id: \(hexadecimal())\(hexadecimal())\r\n"
        } else {
            fields += "Vary: Accept-Encoding\r\nConnection: keep-alive\r\n"
        }
        return ResponseRecord(
            exchange: exchange, firstByteAt: Timestamp(nanoseconds: time), status: isFound ? 200 : 404,
            reason: isFound ? "OK" : "Not Found", httpVersion: "1.1",
            fields: FieldSection(bytes: Array(fields.utf8)),
            size: WireSize(
                startLine: .captured(isFound ? 17 : 24), fields: .captured(fields.utf8.count + 2),
                body: .captured(body)),
            decodedBody: .init(ByteCount(body * 4), .reported), contentType: "application/json",
            contentEncoding: "gzip", bodyDigest: chance.bits())
    }

    // MARK: chance

    private mutating func random(_ range: ClosedRange<Int64>) -> Int64 { chance.number(range) }

    private mutating func hexadecimal() -> String { String(chance.bits() | 1 << 63, radix: 16) }

    private mutating func date(at second: Int64) -> String {
        if date.second != second {
            date = (second, dates.string(from: Date(timeIntervalSince1970: Double(second))))
        }
        return date.text
    }

    private static func dateFormatter() -> DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter
    }
}
