import TestSupport
import TrafficModel

@testable import TrafficReports

func parts(fields: Int64 = 0, body: Int64 = 0, captured: Int64? = nil) -> PartTotals {
    var parts = PartTotals()
    parts.fields = ByteCount(fields)
    parts.body = ByteCount(body)
    parts.captured = ByteCount(captured ?? (fields + body))
    return parts
}

func total(
    _ key: TrafficTotal.Key, requests: Int64, responses: Int64? = nil, failures: Int64 = 0, up: PartTotals,
    down: PartTotals, milliseconds: [Int64] = []
) -> TrafficTotal {
    var total = TrafficTotal(key: key)
    total.requests = requests
    total.responses = responses ?? requests
    total.failures = failures
    total.up = up
    total.down = down
    for value in milliseconds { total.latency.record(nanoseconds: value * 1_000_000) }
    return total
}

func api(_ method: String, _ host: String, _ template: String) -> TrafficTotal.Key {
    TrafficTotal.Key(method: method, host: host, template: template)
}

/// Three APIs, one of them not captured, one without responses.
let threeAPIs = FakeStore(groups: [
    .api: [
        total(
            api("GET", "api.example.com", "/users/{id}"), requests: 1_200, responses: 1_198, failures: 3,
            up: parts(fields: 240_000), down: parts(fields: 300_000, body: 4_500_000), milliseconds: [10, 20, 30, 400]),
        total(
            api("POST", "upload.cdn.example.net", "/v2/organisations/{uuid}/uploads/{date}/images/{id}.png"),
            requests: 12, up: parts(fields: 2_400, body: 61_000_000), down: parts(fields: 3_000, captured: 0),
            milliseconds: [1_500]),
        total(
            api("GET", "api.example.com", "/gone"), requests: 2, responses: 0, failures: 2, up: parts(fields: 180),
            down: parts()),
    ]
])

let sampleRequest = RequestRecord(
    exchange: ExchangeID(42), task: ExchangeID(40), resendCount: 2, process: ProcessIdentity(pid: 7, name: "app"),
    startedAt: Timestamp(nanoseconds: 1_795_255_200_123_456_789),
    sentAt: Timestamp(nanoseconds: 1_795_255_200_138_456_789), method: "GET", scheme: "https",
    host: "api.example.com", port: 443, path: "/users/42", query: "a=1", template: "/users/{id}", httpVersion: "1.1",
    fields: FieldSection(bytes: Array("Host: api.example.com\r\nCookie: a=[redacted 9 B]\r\n".utf8)),
    size: WireSize(startLine: .captured(29), fields: .captured(1_230), cookies: .captured(20)))

let sampleExchange = StoredExchange(
    Exchange(
        request: sampleRequest,
        response: ResponseRecord(
            exchange: ExchangeID(42), firstByteAt: Timestamp(nanoseconds: 1_795_255_200_150_000_000), status: 200,
            reason: "OK", httpVersion: "1.1", fields: FieldSection(bytes: Array("Content-Type: text/html\r\n".utf8)),
            size: WireSize(
                startLine: .captured(17), fields: WireSize.Part(120, .reconstructed), body: .captured(2_000),
                framing: .captured(14), margin: 33),
            decodedBody: .captured(9_000), contentType: "text/html", contentEncoding: "gzip", bodyDigest: 255),
        end: ExchangeEnd(
            exchange: ExchangeID(42), endedAt: Timestamp(nanoseconds: 1_795_255_200_223_456_789), outcome: .completed,
            timings: ExchangeTimings(
                dns: 5_000_000, connect: 10_000_000, send: 100_000, wait: 60_000_000, receive: 20_900_000,
                total: 100_000_000),
            connection: ConnectionID(3), reusedConnection: false, remoteAddress: "10.0.0.1:443")))

/// An exchange whose every text wants to move the cursor.
let hostileExchange: StoredExchange = {
    var exchange = sampleExchange
    exchange.request.method = "G\u{1B}[2JET"
    exchange.request.path = "/\u{1B}]0;owned\u{07}/\u{202E}x\u{9B}31m"
    exchange.request.query = "\u{1B}[31m"
    exchange.request.template = "/\u{1B}c"
    exchange.request.fields = FieldSection(
        bytes: Array("X: \u{1B}[2J\r\n\u{1B}[1m: y\r\n".utf8) + [0x9B, 0x41, 0x0D, 0x0A])
    exchange.request.process = ProcessIdentity(pid: 1, name: "a\u{1B}b")
    exchange.response?.reason = "\u{1B}[0m\r\n"
    exchange.response?.contentType = "text/\u{1B}[7m"
    exchange.response?.contentEncoding = "gz\u{1B}ip"
    exchange.end?.outcome = .failed(ExchangeFailure(.libcurl, code: 7, message: "\u{1B}[5m"))
    exchange.end?.remoteAddress = "\u{1B}"
    return exchange
}()
