import Foundation
import TrafficOrigin

/// The demo's local API: small, but with every habit of real APIs that makes traffic hard to measure.
///
/// One part is well made; the other has the faults that an audit finds. See ``DemoClient/Part``.
///
/// It closes a connection only with a FIN, after everything it wrote was delivered. So the client received exactly the
/// bytes that the API wrote.
enum DemoAPI {
    /// Makes the API; it does not listen yet.
    static func origin() -> LoopbackOrigin {
        LoopbackOrigin(keptBytes: 16_384) { request in
            let parts = request.path.split(separator: "/").map(String.init)
            let number = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
            switch (request.method, parts.first ?? "", parts.count) {
            case ("GET", "users", 1): return list
            case ("POST", "users", 1): return created
            case ("GET", "users", 2): return number > 900 ? missing : item(number)
            case ("DELETE", "users", 2): return .respond("204 No Content")
            case ("GET", "users", 3): return posts(of: number)
            case ("PUT", "users", 3): return avatar(request)
            case ("GET", "articles", 2): return article(number, request)
            case ("GET", "old", 2): return moved(number)
            case ("POST", "session", 1): return session
            case ("GET", "me", 1): return me(request)
            case ("GET", "reports", 2): return report(number)
            case ("GET", "downloads", 2): return cut(number)
            default: return missing
            }
        }
    }

    private static let json = "Content-Type: application/json"

    private static func user(_ number: Int) -> String {
        #"{"id":\#(number),"name":"User \#(number)","mail":"user\#(number)@example.com"}"#
    }

    private static let list = Script.respond(
        fields: [json, "Content-Encoding: gzip", "Vary: Accept-Encoding"], body: .sized(DemoContent.users))

    private static func item(_ number: Int) -> Script {
        .respond(fields: [json, "Cache-Control: no-store"], body: .text(user(number)))
    }

    private static let created = Script([
        .then { request in
            .respond(
                "201 Created", fields: [json, "Location: /users/51"], body: .text(#"{"bytes":\#(request.bodyCount)}"#))
        }
    ])

    /// Content in chunks of 1 byte, 2, 4 … and then small ones, as an unbuffered server writes them.
    private static func posts(of number: Int) -> Script {
        let posts = (1...20).map {
            #"{"user":\#(number),"post":\#($0),"text":"\#(String(repeating: "word ", count: $0))"}"#
        }
        let content = Array("[\(posts.joined(separator: ","))]".utf8)
        let sizes = (0...number % 9).map { 1 << $0 } + Array(repeating: 48, count: content.count / 48)
        return .respond(fields: [json], body: .chunked(content, sizes: sizes))
    }

    private static func avatar(_ request: OriginRequest) -> Script {
        let answer = Script([
            .then { .respond(fields: [json], body: .text(#"{"stored":\#($0.bodyCount)}"#)) }
        ])
        return request.value(of: "Expect") == nil ? answer : .interim("100 Continue") + answer
    }

    private static func article(_ number: Int, _ request: OriginRequest) -> Script {
        let tag = "\"article-\(number)\""
        guard request.value(of: "If-None-Match") != tag else {
            return .respond("304 Not Modified", fields: ["ETag: \(tag)"])
        }
        return .respond(
            fields: ["Content-Type: text/plain; charset=utf-8", "Content-Encoding: gzip", "ETag: \(tag)"],
            body: .sized(DemoContent.article))
    }

    private static func moved(_ number: Int) -> Script {
        let status = ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"][
            number % 4]
        return .respond(status, fields: ["Location: /users/\(number)"], body: .text("moved"))
    }

    private static let session = Script.respond(
        fields: [json, "Set-Cookie: sid=0123456789abcdef; Path=/me; HttpOnly", "set-cookie: theme=dark; Path=/me"],
        body: .text(#"{"ok":true}"#))

    private static func me(_ request: OriginRequest) -> Script {
        request.value(of: "Cookie") == nil
            ? .respond("403 Forbidden", fields: [json], body: .text("{}"))
            : .respond(fields: [json], body: .text(#"{"me":"user 1"}"#))
    }

    private static func report(_ number: Int) -> Script {
        guard number % 5 != 0 else {
            return .respond("500 Internal Server Error", fields: [json], body: .text(#"{"error":"no report"}"#))
        }
        return .pause(milliseconds: 150) + .respond(fields: ["Content-Type: text/csv"], body: .fill(20_000))
    }

    private static func cut(_ number: Int) -> Script {
        .respond(
            fields: ["Content-Type: application/octet-stream"],
            body: .truncated(Script.pattern(count: 1_000 * number), promised: 100_000))
    }

    private static let missing = Script.respond(
        "404 Not Found", fields: [json], body: .text(#"{"error":"not found"}"#))
}
