import TrafficOrigin

/// A sequence of calls that the suite has the client make.
enum Scenario: String, CaseIterable, Hashable, Sendable {
    case answered
    case unanswered
    case redirected
    case bodiless
    case cancelled
    case refused
    case concurrent
    case secret
    case stopped

    /// A call and its expected outcome.
    struct Step: Sendable {
        var name: String
        var method = "GET"
        /// The part of the target that follows the name.
        var rest = ""
        var fields: [(name: String, value: String)] = []
        var body: [UInt8]?
        /// The client's timeout in seconds; longer if the client waits for the suite instead of the origin.
        var timeout = 10.0
        /// The status that the client must get; nil for an error.
        var status: Int? = 200
        /// The number of content bytes that the client must get; nil if that is not checked.
        var content: Int?
        /// Whether the call goes to a closed port.
        var isRefused = false
        var isCancelled = false
    }

    /// Words that must not reach the storing sink.
    static let secrets = [
        "planted-basic-1", "planted-cookie-2", "planted-key-3", "planted-query-4", "planted-set-5", "planted-refused-6",
    ]

    /// The calls, made one after the other except in ``concurrent``.
    var steps: [Step] {
        switch self {
        case .answered:
            [
                Step(name: "plain", content: 500),
                Step(name: "query", rest: "/a%20b?x=1&y=%2F", content: 5),
                Step(name: "post", method: "POST", body: Script.pattern(count: 3_000), status: 201, content: 5),
                Step(name: "put", method: "PUT", rest: "/1", body: Script.pattern(count: 10), status: 200, content: 5),
                Step(name: "delete", method: "DELETE", status: 404, content: 5),
                Step(name: "chunks", content: 600),
                Step(name: "gzip", content: 2_210),
                Step(name: "gzip-in-chunks", content: 2_210),
                Step(name: "cookies", fields: [("Cookie", "a=b; c=d")], content: 5),
                Step(name: "error", status: 500, content: 5),
            ]
        case .unanswered:
            [Step(name: "timeout", timeout: 1, status: nil), Step(name: "reset", status: nil)]
        case .redirected: [Step(name: "redirect", rest: "/a", content: 5)]
        case .bodiless:
            [
                Step(name: "head", method: "HEAD", content: 0), Step(name: "nothing", status: 204, content: 0),
                Step(name: "unchanged", fields: [("If-None-Match", "\"x\"")], status: 304, content: 0),
            ]
        case .cancelled: [Step(name: "cancel", timeout: 60, status: nil, isCancelled: true)]
        case .refused: [Step(name: "refused", status: nil, isRefused: true)]
        case .concurrent:
            (0..<40).map { Step(name: "at-once-\($0)", content: 100 + $0) }
        case .secret:
            [
                Step(
                    name: "login", rest: "?page=2&access_token=\(Self.secrets[3])",
                    fields: [
                        ("Authorization", "Basic \(Self.secrets[0])"), ("Cookie", "session=\(Self.secrets[1])"),
                        ("X-Api-Key", Self.secrets[2]),
                    ], content: 5),
                // The text of an error may quote the URL.
                Step(name: "refused", rest: "?api_key=\(Self.secrets[5])", status: nil, isRefused: true),
            ]
        case .stopped: [Step(name: "running", timeout: 60, content: 5), Step(name: "later", content: 5)]
        }
    }

    /// The origin's response to a request.
    func script(for request: OriginRequest, gate: Gate) -> Script {
        switch request.path.split(separator: "/").first.map(String.init) ?? "" {
        case "plain": .respond(fields: ["Content-Type: text/plain"], body: .fill(500))
        case "post": .respond("201 Created", fields: ["Location: /post/1"], body: .text("hello"))
        case "delete": .respond("404 Not Found", body: .text("hello"))
        case "gzip": .respond(fields: ["Content-Encoding: gzip"], body: .sized(CodedContent.gzip.bytes))
        case "chunks": .respond(body: .chunked(Script.pattern(count: 600), sizes: [100, 200]))
        case "gzip-in-chunks":
            .respond(fields: ["Content-Encoding: gzip"], body: .chunked(CodedContent.gzip.bytes, sizes: [100]))
        case "cookies": .respond(fields: ["Set-Cookie: e=f; Path=/"], body: .text("hello"))
        case "error": .respond("500 Internal Server Error", body: .text("hello"))
        case "timeout": .hold
        case "reset": .reset
        case "redirect":
            switch request.path {
            case "/redirect/a": .respond("302 Found", fields: ["Location: /redirect/b"], body: .sized([]))
            case "/redirect/b": .respond("307 Temporary Redirect", fields: ["Location: /redirect/c"], body: .sized([]))
            default: .respond(body: .text("hello"))
            }
        case "head": .respond(fields: ["Content-Type: text/plain"], body: .lengthOnly(5_000))
        case "nothing": .respond("204 No Content")
        case "unchanged": .respond("304 Not Modified", fields: ["ETag: \"x\""], body: .lengthOnly(5_000))
        case "cancel":
            Script([
                .write(Script.head("200 OK", fields: ["Content-Length: 1000000"])), .fill(count: 20_000),
                .awaitDelivery,
                .then { _ in
                    gate.open()
                    return .hold
                },
            ])
        case "login": .respond(fields: ["Set-Cookie: id=\(Self.secrets[4]); Path=/"], body: .text("hello"))
        case "running":
            Script([
                .then { _ in
                    gate.wait()
                    return .respond(body: .text("hello"))
                }
            ])
        case let name where name.hasPrefix("at-once-"):
            .respond(body: .fill(100 + (Int(name.dropFirst("at-once-".count)) ?? 0)))
        default: .respond(body: .text("hello"))
        }
    }
}
