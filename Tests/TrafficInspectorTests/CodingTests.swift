import ContentCoding
import Foundation
import HTTPWire
import Locks
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficInspector

/// What is sent is small, and sent as seldom as it can be.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(4))) struct CodingTests {
    private func shown() async throws -> Shown {
        let shown = try await Shown()
        for id in Int64(1)...50 { try shown.writer.write(Sample.events(id, path: "/users/\(id)")) }
        return shown
    }

    /// The head, and what the content was before its coding.
    private func ask(
        _ shown: Shown, _ path: String, _ fields: [String] = ["Accept-Encoding: gzip, deflate"]
    ) async throws -> (head: String, body: [UInt8], sent: Int) {
        let head = (["Host: 127.0.0.1:\(shown.port)", "Connection: close"] + fields).map { $0 + "\r\n" }.joined()
        let bytes = try await shown.send(Array("GET \(path) HTTP/1.1\r\n\(head)\r\n".utf8))
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)))
        let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        var body = Array(bytes[end.upperBound...])
        let sent = body.count
        if text.contains("Transfer-Encoding: chunked") { body = Self.joined(body) }
        if text.contains("Content-Encoding: gzip") {
            let content = try #require(ZlibContent(of: body, coding: .gzip, limit: 10 << 20))
            #expect(content.ending == .whole, "\(path)")
            body = content.bytes
        }
        return (text, body, sent)
    }

    private static func joined(_ chunks: [UInt8]) -> [UInt8] {
        var rest = chunks[...]
        var result: [UInt8] = []
        while let line = rest.firstRange(of: [13, 10]),
            let count = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16), count > 0
        {
            result += rest[line.upperBound...].prefix(count)
            rest = rest[line.upperBound...].dropFirst(count + 2)
        }
        return result
    }

    @Test(arguments: [
        "/", "/api/v1/exchanges", "/api/v1/exchanges/1", "/api/v1/apis", "/api/v1/timeline",
        "/api/v1/export?format=csv",
        "/api/v1/export?format=ndjson", "/api/v1/export?format=har",
    ])
    func textIsCodedForThoseWhoTakeIt(path: String) async throws {
        let shown = try await shown()
        let plain = try await ask(shown, path, [])
        let coded = try await ask(shown, path)
        #expect(!plain.head.contains("Content-Encoding"))
        #expect(coded.head.contains("\r\nContent-Encoding: gzip"))
        // Each list has a name of its own.
        let texts = [plain, coded].map {
            String(decoding: $0.body, as: UTF8.self).replacing(/"view":"\w+"/, with: "")
        }
        let isSame = texts[0] == texts[1]
        #expect(isSame, "\(path)")
        #expect(coded.sent < plain.sent)
        // Whoever keeps answers for others must know that they differ.
        for one in [plain, coded] { #expect(one.head.contains("\r\nVary: Accept-Encoding")) }
        for refusal in ["gzip;q=0", "identity", "gzip;q=0, *", "br"] {
            #expect(
                try await !ask(shown, path, ["Accept-Encoding: \(refusal)"]).head.contains("Content-Encoding"),
                "\(refusal)")
        }
        #expect(
            try await ask(shown, path, ["Accept-Encoding: br;q=1, GZIP ; q=0.5"]).head.contains(
                "Content-Encoding: gzip"))
    }

    @Test func everyFileOfThePageIsCodedOrTiny() async throws {
        let shown = try await shown()
        for name in PageAssets.all.keys {
            let reply = try await ask(shown, "/\(name)")
            // A font is compressed already.
            let isCoded = reply.head.contains("Content-Encoding: gzip")
            #expect(name.hasSuffix(".woff2") ? !isCoded : isCoded || reply.sent < 512, "\(name)")
            let isSame = reply.body == PageAssets.all[name]?.bytes
            #expect(isSame, "\(name)")
        }
    }

    @Test func thePageIsAFewFilesThatNeedNotBeAskedForAgain() async throws {
        let shown = try await shown()
        let page = try await ask(shown, "/")
        let text = String(decoding: page.body, as: UTF8.self)
        let named = text.matches(of: /(?:src|href)="\/([^"]+)"/).map { String($0.1) }
        #expect(named.count == 4, "\(named)")
        for name in named {
            #expect(name.contains(/\.[0-9a-f]{12}\.(css|js|svg)$/), "\(name)")
            #expect(
                try await ask(shown, "/\(name)").head.contains("Cache-Control: public, max-age=31536000, immutable"))
        }
        // No script waits for another before it runs.
        for (name, asset) in PageAssets.all where name.hasSuffix(".js") {
            let script = String(decoding: asset.bytes, as: UTF8.self)
            #expect(!script.contains(/^import[ {*]/.anchorsMatchLineEndings()), "\(name)")
        }
        // The page itself is requested each time, and sent once.
        let tag = try #require(page.head.firstMatch(of: /\r\nETag: ([^\r]+)/)).1
        let again = try await ask(shown, "/", ["Accept-Encoding: gzip", "If-None-Match: \(tag)"])
        #expect(again.head.hasPrefix("HTTP/1.1 304") && again.sent == 0)
        #expect(again.head.contains("Vary: Accept-Encoding"))
    }

    @Test func whatHappensIsSeenAtOnceInGzip() async throws {
        let shown = try await shown()
        let client = try RawClient(port: shown.port)
        client.write(
            Array("GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(shown.port)\r\nAccept-Encoding: gzip\r\n\r\n".utf8))
        let isThere = Flag()
        nonisolated(unsafe) let reading = client
        // A thread of its own: those that all share are the server's to use.
        async let answer = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let bytes = reading.read { Self.decoded($0).contains("event: rows") }
                isThere.raise()
                continuation.resume(returning: bytes)
            }
        }
        // Rows that were there before the page opened are not sent again, so add rows until the stream reports one.
        var id: Int64 = 50
        while !isThere.isRaised, id < 1_000 {
            id += 1
            try shown.writer.write(Sample.events(id, path: "/new"))
            try await Task.sleep(for: .milliseconds(50))
        }
        let bytes = await answer
        #expect(String(decoding: bytes.prefix(400), as: UTF8.self).contains("Content-Encoding: gzip"))
        let text = Self.decoded(bytes)
        #expect(text.hasPrefix("retry: 1000\n\nid: "))
        #expect(text.contains("\nevent: status\ndata: {"))
        #expect(text.contains("event: rows"))
    }

    /// What of an answer can be decoded so far.
    private static func decoded(_ bytes: [UInt8]) -> String {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return "" }
        let content = ZlibContent(of: joined(Array(bytes[end.upperBound...])), coding: .gzip, limit: 1 << 20)
        return String(decoding: content?.bytes ?? [], as: UTF8.self)
    }
}

/// Something that one thread says to another.
private final class Flag: Sendable {
    private let value = Atomic(false)
    var isRaised: Bool { value.load(ordering: .acquiring) }
    func raise() { value.store(true, ordering: .releasing) }
}
