import Foundation
import Testing
import TrafficModel
import TrafficPipeline
import WireweightTesting

@testable import TrafficExport

@Suite("Commands of curl", .enabled(if: Tool.path(of: "curl") != nil, "needs curl"))
struct CurlEncoderTests {
    /// What an origin sees when the command of a request runs: the head's lines, sorted, and the body.
    private func run(
        method: String = "GET", target: String = "/", fields: [String], body: [UInt8]? = nil,
        variables: [String: String] = [:]
    ) throws -> (line: String, fields: [String], body: [UInt8], command: String) {
        let origin = LoopbackOrigin { _ in Script([.readRequestBody]) + .respond(body: .text("ok")) }
        try origin.start()
        defer { origin.stop() }
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        var request = Sample.request(
            method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, host: "127.0.0.1",
            fields: fields.map { $0.replacing("ORIGIN", with: "127.0.0.1:\(origin.port)") },
            size: WireSize(
                startLine: .captured(1), fields: .captured(1), body: .captured(body?.count ?? 0)),
            body: body)
        request.scheme = "http"
        request.port = Int(origin.port)
        let store = try Store([.request(request), .end(Sample.end())])
        let command = try store.export(.curl)
        let settings = variables.map { "\($0.key)='\($0.value)'; " }.joined()
        let ended = try Tool.run("/bin/sh", ["-euc", settings + command])
        #expect(ended.status == 0, "\(ended.errors) \(command)")
        #expect(origin.waitUntilIdle())
        let seen = try #require(origin.exchanges.first)
        let log = seen.requestLog.kept
        let end = try #require(Self.endOfHead(log))
        var lines = String(decoding: log[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let line = lines.removeFirst()
        return (line, lines.sorted(), Array(log[(end + 4)...]), command)
    }

    private static func endOfHead(_ bytes: [UInt8]) -> Int? {
        (0..<max(0, bytes.count - 3)).first { bytes[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
    }

    @Test("the command sends the same head again, with odd values and without fields of curl's own")
    func head() throws {
        let fields = [
            "Host: ORIGIN", "Accept: text/html", "X-Quote: it's \"$HOME\" `date` \\ !", "X-Empty:", "X-Semi: a;b",
            "Accept-Encoding: gzip", "x-lower: 1", "X-Lower: 2",
        ]
        let target = "/a/../b/[1-3]{x,y}'$(date)?q=%20+&r[]=1"
        let seen = try run(target: target, fields: fields)
        #expect(seen.line == "GET \(target) HTTP/1.1")
        #expect(seen.fields.filter { !$0.hasPrefix("Host:") } == fields.dropFirst().sorted())
    }

    @Test("a target that is no path comes again as it was", arguments: ["*", "odd:2?x=1"])
    func targets(_ target: String) throws {
        let seen = try run(method: "OPTIONS", target: target, fields: ["Host: ORIGIN", "Accept: */*"])
        #expect(seen.line == "OPTIONS \(target) HTTP/1.1")
        #expect(seen.command.contains("--request-target "))
    }

    @Test("a tunnel is requested again, from the same proxy")
    func tunnel() throws {
        let proxy = LoopbackOrigin { _ in .respond(body: .text("")) }
        try proxy.start()
        defer { proxy.stop() }
        var request = Sample.request(
            method: "CONNECT", path: "api.test:81", host: "api.test",
            fields: [
                "Host: api.test:81", "User-Agent: app/1", "Proxy-Authorization: Basic dXNlcjpwYXNz",
                "Proxy-Connection: Keep-Alive",
            ])
        (request.scheme, request.port) = ("http", 81)
        var end = Sample.end()
        end.remoteAddress = "127.0.0.1:\(proxy.port)"
        let command = try Store([.request(request), .end(end)]).export(.curl)
        #expect(command.contains("; curl asks for the same tunnel and sends HEAD through it\n"))
        let ended = try Tool.run("/bin/sh", ["-euc", "PROXY_AUTHORIZATION=dXNlcjpwYXNz; \(command)"])
        #expect(ended.status == 0, "\(ended.errors) \(command)")
        #expect(proxy.waitUntilIdle())
        let heads = proxy.exchanges.map { String(decoding: $0.requestLog.kept, as: UTF8.self) }
        let connect = try #require(heads.first).components(separatedBy: "\r\n")
        #expect(connect.first == "CONNECT api.test:81 HTTP/1.1")
        #expect(
            connect.dropFirst().filter { !$0.isEmpty }.sorted() == [
                "Host: api.test:81", "Proxy-Authorization: Basic dXNlcjpwYXNz", "Proxy-Connection: Keep-Alive",
                "User-Agent: app/1",
            ])
        end.remoteAddress = ""
        let unknown = try Store([.request(request), .end(end)]).export(.curl)
        #expect(unknown.contains("set PROXY, ") && unknown.contains("--proxy \"$PROXY\""))
    }

    @Test("methods", arguments: ["HEAD", "DELETE", "OPTIONS", "POST", "PATCH", "M-SEARCH"])
    func methods(_ method: String) throws {
        let seen = try run(method: method, fields: ["Host: ORIGIN", "Content-Length: 0"])
        #expect(seen.line == "\(method) / HTTP/1.1")
        #expect(seen.fields.contains("Content-Length: 0"))
    }

    @Test(
        "bodies come again byte for byte",
        arguments: [
            Array("a=1&b='2'\n@x\r\n$HOME".utf8), Array("@/etc/passwd".utf8), [0, 1, 2, 255, 10],
            Array("grüße\n\n".utf8),
        ])
    func bodies(_ body: [UInt8]) throws {
        let seen = try run(
            method: "POST", fields: ["Host: ORIGIN", "Content-Type: x/y", "Content-Length: \(body.count)"], body: body)
        #expect(seen.body == body)
        let content = seen.fields.filter { $0.hasPrefix("Content") }
        #expect(content == ["Content-Length: \(body.count)", "Content-Type: x/y"])
    }

    @Test("a chunked body stays chunked, and GET may have one")
    func chunked() throws {
        let seen = try run(
            method: "GET", fields: ["Host: ORIGIN", "Transfer-Encoding: chunked"], body: Array("abc".utf8))
        #expect(seen.line == "GET / HTTP/1.1")
        #expect(seen.fields.contains("Transfer-Encoding: chunked"))
        #expect(String(decoding: seen.body, as: UTF8.self).contains("abc"))
        #expect(!seen.fields.contains { $0.hasPrefix("Content-Type") })
    }

    @Test("secrets are variables, each under its own name, and given back they go where they were")
    func secrets() throws {
        let fields = [
            "Host: ORIGIN", "Authorization: Bearer abcdef", "Cookie: sid=s1; theme=dark", "X-Api-Key: k1",
            "Referer: http://a.test/?token=t0", "X-Token: a", "x-token: b",
        ]
        let seen = try run(
            target: "/reset-password/0123456789abcdef0123456789abcdef?token=t1&pwd=p1&q=2", fields: fields,
            variables: [
                "AUTHORIZATION": "abcdef", "COOKIE_SID": "s1", "COOKIE_THEME": "dark", "X_API_KEY": "k1",
                "TOKEN": "t0", "TOKEN_2": "t1", "PWD_VALUE": "p1", "X_TOKEN": "a", "X_TOKEN_2": "b",
                "RESET_PASSWORD": "0123456789abcdef0123456789abcdef",
            ])
        #expect(seen.line == "GET /reset-password/0123456789abcdef0123456789abcdef?token=t1&pwd=p1&q=2 HTTP/1.1")
        #expect(seen.fields.filter { !$0.hasPrefix("Host:") } == fields.dropFirst().sorted())
        #expect(!seen.command.contains("redacted"))
        #expect(seen.command.contains("'Authorization: Bearer '\"$AUTHORIZATION\""))
        #expect(seen.command.hasPrefix("# exchange 1; set "))
    }

    @Test("a body that was not kept whole is left out, and the comment says so")
    func lacking() throws {
        let size = WireSize(startLine: .captured(1), fields: .captured(1), body: .captured(1_000))
        let store = try Store([
            .request(Sample.request(method: "POST", size: size, body: Array("abc".utf8))), .end(Sample.end()),
        ])
        let command = try store.export(.curl)
        #expect(command.contains("# exchange 1; its body of 1000 bytes was not kept whole and is left out"))
        #expect(!command.contains("--data"))
    }

    @Test("nothing of a hostile request becomes a command or an option")
    func hostile() throws {
        var request = Sample.request(
            method: "X'; touch /tmp/owned; '", path: "/\n; touch /tmp/owned\u{1B}[2J",
            fields: ["@/etc/passwd: x", "-o: /tmp/owned", "X: a\r\n b", "X\u{1B}: y", "no colon"])
        request.host = "-o/tmp/owned"
        let text = CurlCommand(request).text
        #expect(!text.contains("@/etc"))
        #expect(!text.contains("\u{1B}"))
        #expect(text.contains("--header 'X: a b'"))
        #expect(text.contains("'X'\\''; touch /tmp/owned; '\\'''"))
        // Each line but the last ends in a backslash: no line end of the request's is among them.
        #expect(text.split(separator: "\n").dropLast().allSatisfy { $0.hasSuffix(" \\") })
    }

    @Test("the marks are those that redaction leaves")
    func marks() throws {
        var names = VariableNames()
        let redacted = Redactor().redacted(Sample.section(["X-Secret: 0123456789"]))
        let value = try #require(redacted.firstValue(of: "x-secret"))
        let pieces = SecretPieces(value, fallback: "X-Secret", names: &names)
        #expect(pieces.pieces == [.secret("X_SECRET")])
        let none = SecretPieces("[redacted x B] (redacted--B) [redacted 1", fallback: "f", names: &names)
        #expect(none.pieces == [.text("[redacted x B] (redacted--B) [redacted 1")])
    }
}
