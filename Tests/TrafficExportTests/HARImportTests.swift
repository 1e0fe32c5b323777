import Foundation
import Testing
import TextFormats
import TrafficModel
import TrafficStore

@testable import TrafficExport

/// The events of an archive, read in pieces of that size.
func imported(
    _ text: String, pieces: Int = 1 << 16, bodyLimit: Int = 0, limits: JSONReader.Limits = .init()
) throws -> (events: [TrafficEvent], outcome: HARImport.Outcome) {
    func reader() -> HARReader {
        var rest = Array(text.utf8)[...]
        return HARReader(limits: limits) {
            defer { rest = rest.dropFirst(pieces) }
            return Array(rest.prefix(pieces))
        }
    }
    var events: [TrafficEvent] = []
    var work = HARImport(try reader().check())
    work.bodyLimit = bodyLimit
    let outcome = try work.run(reader()) { events += $0 }
    return (events, outcome)
}

func archive(_ entries: String...) -> String {
    """
    {"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": [
    \(entries.joined(separator: ",\n"))
    ]}}
    """
}

/// An entry with all that must be there; members of the messages can be replaced.
func entry(
    _ url: String = "https://api.test/users/1", request: String = "", response: String = "", more: String = ""
) -> String {
    """
    {"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 100, "cache": {}, \(more)
    "request": {\(request) "method": "GET", "url": "\(url)", "httpVersion": "HTTP/1.1", "cookies": [],
    "headers": [{"name": "Host", "value": "api.test"}], "queryString": [], "headersSize": 60, "bodySize": 0},
    "response": {\(response) "status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1", "cookies": [],
    "headers": [], "content": {"size": 10, "mimeType": "text/plain"}, "redirectURL": "",
    "headersSize": 40, "bodySize": 10},
    "timings": {"blocked": -1, "dns": -1, "connect": -1, "send": 1, "wait": 90, "receive": 9}}
    """
}

@Suite("Importing a HAR")
struct HARImportTests {
    private func archiveNamed(_ name: String) throws -> String {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("BrowserHARs/\(name).har")
        return try String(contentsOf: url, encoding: .utf8)
    }

    @Test("an archive in Chromium's shape")
    func chromium() throws {
        let (events, outcome) = try imported(try archiveNamed("chromium"))
        #expect(outcome == .init(exchanges: 5, cached: 1, foreign: 1))
        let exchanges = try Store(events).exchanges
        #expect(exchanges.count == 5)

        let page = exchanges[0]
        #expect(page.request.process.name == "WebInspector")
        #expect(page.request.size.total == ByteCount(412))
        #expect(page.request.size.startLine.bytes == ByteCount("GET / HTTP/1.1\r\n".utf8.count))
        #expect(page.request.size.evidence == .reported)
        let response = try #require(page.response)
        #expect(response.size.head == 310)
        #expect(response.size.body == .init(1_200, .reported))
        #expect(response.decodedBody == .init(4_096, .reported))
        #expect(response.contentType == "text/html")
        #expect(response.contentEncoding == "gzip")
        let end = try #require(page.end)
        #expect(end.outcome == .completed)
        #expect(end.remoteAddress == "203.0.113.7:80")
        #expect(end.timings.dns == 12_000_000)
        #expect(end.timings.connect == 20_000_000)
        #expect(!end.reusedConnection && end.connection != nil)
        #expect(page.request.startedAt == Timestamp(iso8601: "2026-03-01T10:00:00.100Z"))
        #expect(page.request.sentAt == Timestamp(iso8601: "2026-03-01T10:00:00.135Z"))
        #expect(end.endedAt == Timestamp(iso8601: "2026-03-01T10:00:00.223Z"))

        // HTTP/2: the sizes of the headers are unknown, that of the whole response is reported.
        let api = exchanges[1]
        #expect(api.request.httpVersion == "2")
        #expect(api.request.size.startLine.evidence == .unknown)
        #expect(api.request.size.total == nil)
        #expect(api.request.query == "page=2")
        #expect(api.request.template == "/v1/users/{id}/posts")
        #expect(!String(decoding: api.request.fields.bytes, as: UTF8.self).contains(":authority"))
        #expect(api.response?.size.fields.evidence == .unknown)
        #expect(api.response?.size.known == ByteCount(913))
        #expect(api.end?.reusedConnection == true)

        // A redirect and what it led to are one task.
        #expect(exchanges[2].response?.status == 301)
        #expect(exchanges[3].task == exchanges[2].id)
        #expect(exchanges[3].request.resendCount == 1)

        // Chromium's word for a request without a response.
        let refused = exchanges[4]
        #expect(refused.response == nil)
        #expect(
            refused.end?.outcome == .failed(ExchangeFailure(.libcurl, code: 7, message: "net::ERR_CONNECTION_REFUSED")))
        #expect(refused.request.size.total == nil)
    }

    @Test("an archive in Firefox' shape")
    func firefox() throws {
        let (events, outcome) = try imported(try archiveNamed("firefox"), bodyLimit: 1_000)
        #expect(outcome == .init(exchanges: 3))
        let exchanges = try Store(events).exchanges
        let post = exchanges[0]
        #expect(post.request.process.name == "Firefox")
        #expect(post.request.method == "POST")
        #expect(post.request.size.body == .init(27, .reported))
        #expect(post.request.capturedBody == Array("{\"name\":\"Ada\",\"admin\":true}".utf8))
        #expect(post.request.startedAt == Timestamp(iso8601: "2026-03-01T09:00:00Z"))
        #expect(post.request.sentAt == Timestamp(iso8601: "2026-03-01T09:00:00.001Z"))
        let response = try #require(post.response)
        #expect(response.status == 201)
        // Two fields in one value, parted by a line end.
        #expect(response.fields.values(of: "set-cookie").count == 2)
        #expect(response.capturedBody.map { String(decoding: $0, as: UTF8.self) } == "{\"id\":7}")
        // Firefox writes the port, which does not identify a connection.
        #expect(post.connection == nil)
        #expect(post.end?.remoteAddress == "[2001:db8::1]:443")

        #expect(exchanges[1].response?.status == 304)
        #expect(exchanges[1].response?.size.body == .init(0, .reported))
        // A request that was blocked: no status, no timings, nulls.
        #expect(exchanges[2].response == nil)
        #expect(exchanges[2].end?.timings.wait == nil)
        #expect(exchanges[2].request.size.evidence == .unknown)
    }

    @Test("secrets are replaced on the way into the store, their sizes stay")
    func redacted() throws {
        let text = archive(
            entry(
                "https://user:s3cr3tPassword@api.test/x?token=s3cr3tToken",
                request: """
                    "headers": [{"name": "Authorization", "value": "Bearer s3cr3tBearer"},
                    {"name": "Cookie", "value": "sid=s3cr3tCookie"}],
                    """
            ).replacing("\"headers\": [{\"name\": \"Host\", \"value\": \"api.test\"}],", with: ""))
        let store = try Store(try imported(text).events)
        let exchange = try #require(try store.exchanges.first)
        #expect(exchange.request.fields.firstValue(of: "cookie") == "sid=[redacted 12 B]")
        #expect(exchange.request.size.head == 60)
        #expect(exchange.request.size.cookies == .init(26, .reconstructed))
        for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path) {
            let bytes = try Data(contentsOf: store.folder.appendingPathComponent(name))
            #expect(bytes.range(of: Data("s3cr3t".utf8)) == nil, "\(name)")
        }
    }

    @Test("what was exported and imported again weighs the same, part by part")
    func roundTrip() throws {
        let size = WireSize(
            startLine: .captured(17), fields: .captured(60), cookies: .captured(20), interim: .captured(25),
            body: .captured(512), framing: .captured(14))
        let before = try Store([
            .request(Sample.request(1, query: "a=1")), .response(Sample.response(1, size: size)), .end(Sample.end(1)),
            .request(Sample.request(2)),
            .end(Sample.end(2, .failed(ExchangeFailure(.libcurl, code: 28, message: "too slow")))),
            .request(Sample.request(3, size: .unknown)), .end(Sample.end(3, .cancelled)),
        ])
        let after = try Store(try imported(try before.export(.har)).events)
        let pairs = Array(zip(try before.exchanges, try after.exchanges))
        #expect(pairs.count == 3)
        func bytes(_ size: WireSize?) -> [Int64?] {
            guard let size else { return [] }
            return (size.summands + [size.cookies]).map(\.known)
        }
        for (old, new) in pairs {
            #expect(bytes(new.request.size) == bytes(old.request.size))
            #expect(bytes(new.response?.size) == bytes(old.response?.size))
            #expect(new.request.url == old.request.url)
            #expect(new.request.template == old.request.template)
            #expect(new.request.process == old.request.process)
            #expect(new.end?.outcome == old.end?.outcome)
            #expect(new.response?.status == old.response?.status)
            #expect(new.request.size.evidence < .captured)
        }
        #expect(pairs[0].1.request.startedAt == pairs[0].0.request.startedAt)
        #expect(pairs[0].1.end?.timings.tls == 20_000_000)
        #expect(pairs[0].1.response?.size.evidence == .reported)
    }

    @Test("it does not matter in which pieces the file is read, or how its text is laid out")
    func pieces() throws {
        let text = try archiveNamed("chromium")
        let whole = try imported(text).events
        for size in [1, 2, 3, 7, 64] { #expect(try imported(text, pieces: size).events == whole) }
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        for options: JSONSerialization.WritingOptions in [[.sortedKeys], [.prettyPrinted, .sortedKeys]] {
            let other = try JSONSerialization.data(withJSONObject: object, options: options)
            let events = try imported(String(decoding: other, as: UTF8.self)).events
            #expect(events == whole)
        }
    }

    @Test("bodies give a digest, by which the same one is known again, and are kept only when wanted")
    func bodies() throws {
        func response(_ text: String, base64: Bool = false) throws -> ResponseRecord {
            let encoding = base64 ? "\"encoding\": \"base64\"," : ""
            let text = archive(
                entry(response: "\"_x\": 0,").replacing(
                    "\"content\": {", with: "\"content\": {\(encoding) \"text\": \"\(text)\","))
            let events = try imported(text, bodyLimit: 4).events
            guard case .response(let response) = events[1] else { throw HARFault(line: 0, offset: 0, reason: "") }
            return response
        }
        let plain = try response("hello world")
        #expect(plain.bodyDigest == (try response("aGVsbG8gd29ybGQ=", base64: true)).bodyDigest)
        #expect(plain.bodyDigest != (try response("hello worlt")).bodyDigest)
        #expect(plain.capturedBody == Array("hell".utf8))
        #expect(try response("").bodyDigest == nil)
        let events = try imported(archive(entry())).events
        guard case .response(let none) = events[1] else { throw HARFault(line: 0, offset: 0, reason: "") }
        #expect(none.capturedBody == nil)
    }

    @Test("a value cannot become a field of its own")
    func injection() throws {
        let text = archive(
            entry().replacing(
                "{\"name\": \"Host\", \"value\": \"api.test\"}",
                with: #"{"name": "A\r\nB", "value": "1\r\nX: 2\u0000"}, {"name": ":path", "value": "/"}"#))
        guard case .request(let request) = try imported(text).events[0] else { return }
        #expect(String(decoding: request.fields.bytes, as: UTF8.self) == "A  B: 1 \r\nA  B: X: 2 \r\n")
    }
}
