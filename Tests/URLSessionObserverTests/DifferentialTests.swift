import Foundation
import Observing
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// With and without the observer, a program sends the same, gets the same and is called back the same.
@Suite(.oneAtATime, .timeLimit(.minutes(2)))
struct DifferentialTests {
    static let cases: [DifferentialCase] = [
        DifferentialCase(name: "a small text") { _ in
            .respond(fields: ["Content-Type: text/plain", "X-Twice: a", "X-Twice: b"], body: .text("hello"))
        },
        DifferentialCase(name: "a query with escapes", target: "/a%20b/c?q=%C3%BC&empty=&x=%2F") { request in
            .respond(body: .text(request.target))
        },
        DifferentialCase(name: "own fields", fields: ["X-One": "1", "Accept": "text/html", "X-Empty": ""]) { _ in
            .respond(body: .text("ok"))
        },
        DifferentialCase(name: "HEAD", method: "HEAD") { _ in .respond(body: .lengthOnly(500)) },
        DifferentialCase(name: "no content") { _ in .respond("204 No Content") },
        DifferentialCase(name: "an error status") { _ in .respond("500 Oops", body: .text("broken")) },
        DifferentialCase(name: "chunks") { _ in
            .respond(body: .chunked(Script.pattern(count: 40_000), sizes: [1, 4_095, 16_384]))
        },
        DifferentialCase(name: "a megabyte") { _ in .respond(body: .fill(1_048_576)) },
        DifferentialCase(name: "until close") { _ in .respond(body: .untilClose(Script.pattern(count: 5_000))) },
        DifferentialCase(name: "a stored gzip") { _ in
            .respond(fields: ["Content-Encoding: gzip"], body: .sized(StoredGzip.encode(Script.pattern(count: 9_000))))
        },
        DifferentialCase(name: "POST", method: "POST", body: Data("name=value".utf8)) { _ in
            .respond(body: .text("posted"))
        },
        DifferentialCase(
            name: "POST of JSON", method: "POST", fields: ["Content-Type": "application/json"],
            body: Data(Script.pattern(count: 100_000))
        ) { request in .respond(body: .text("\(request.target)")) },
        DifferentialCase(name: "PUT without content", method: "PUT") { _ in .respond("201 Created", body: .text("")) },
        DifferentialCase(
            name: "a stream", method: "POST", body: Data(Script.pattern(count: 50_000)), streamed: true,
            // The delegate would only get the progress; and a stream can be read only once.
            styles: [.async, .completion]
        ) { _ in .respond(body: .text("streamed")) },
        DifferentialCase(name: "a redirect", target: "/old", exchanges: 2) { request in
            request.path == "/old"
                ? .respond("302 Found", fields: ["Location: /new?x=1"], body: .text("elsewhere"))
                : .respond(body: .text("new"))
        },
        DifferentialCase(
            name: "a redirect of POST", method: "POST", target: "/old", body: Data("x=1".utf8), exchanges: 2
        ) {
            request in
            request.path == "/old"
                ? .respond("303 See Other", fields: ["Location: /new"], body: .text(""))
                : .respond(body: .text(request.method))
        },
        DifferentialCase(
            name: "a redirect that the delegate refuses", target: "/old", followsRedirects: false, styles: [.delegate]
        ) {
            request in
            request.path == "/old"
                ? .respond("302 Found", fields: ["Location: /new"], body: .text("stay")) : .respond(body: .text("new"))
        },
        DifferentialCase(name: "redirects without end", exchanges: 21) { _ in
            .respond("302 Found", fields: ["Location: /again"], body: .text(""))
        },
        DifferentialCase(name: "cookies on the way", target: "/set", exchanges: 2) { request in
            request.path == "/set"
                ? .respond("302 Found", fields: ["Set-Cookie: id=42; Path=/", "Location: /read"], body: .text(""))
                : .respond(body: .text(request.value(of: "Cookie") ?? "none"))
        },
        DifferentialCase(
            name: "cookies of the storage",
            configure: { configuration in
                let cookie = HTTPCookie(properties: [
                    .name: "stored", .value: "yes", .domain: "127.0.0.1", .path: "/",
                ])
                if let cookie { configuration.httpCookieStorage?.setCookie(cookie) }
            }
        ) { request in .respond(body: .text(request.value(of: "Cookie") ?? "none")) },
        DifferentialCase(
            name: "no cookies wanted", fields: ["Cookie": "mine=1"],
            configure: { configuration in
                configuration.httpShouldSetCookies = false
                configuration.httpCookieAcceptPolicy = .never
            }
        ) { request in .respond(body: .text(request.value(of: "Cookie") ?? "none")) },
        DifferentialCase(
            name: "fields of the configuration",
            configure: { $0.httpAdditionalHeaders = ["X-Session": "s", "User-Agent": "own"] }
        ) { _ in .respond(body: .text("ok")) },
        DifferentialCase(
            name: "the configuration's timeout", configure: { $0.timeoutIntervalForRequest = 1 }
        ) { _ in .hold },
        DifferentialCase(
            name: "the request's timeout", timeout: 1, configure: { $0.timeoutIntervalForRequest = 60 }
        ) { _ in .hold },
        DifferentialCase(name: "a server that hangs up") { _ in .close },
        DifferentialCase(name: "a body cut short") { _ in
            .respond(body: .truncated(Script.pattern(count: 100), promised: 5_000))
        },
        DifferentialCase(name: "a cancel before the answer", cancelAfter: 0.2) { _ in .hold },
        DifferentialCase(name: "a cancel in the body", cancelAfter: 0.4) { _ in
            Script(
                Script.respond(body: .truncated(Script.pattern(count: 100), promised: 5_000)).steps.dropLast() + [.hold]
            )
        },
        DifferentialCase(name: "a challenge that is answered", hasCredential: true, styles: [.delegate]) { request in
            request.value(of: "Authorization") == nil
                ? .respond("401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"x\""], body: .text("who?"))
                : .respond(body: .text("welcome"))
        },
        DifferentialCase(name: "401 without a challenge") { _ in .respond("401 Unauthorized", body: .text("no")) },
    ]

    @Test(arguments: cases, DifferentialCase.Style.allCases)
    func everythingIsAsWithoutTheObserver(of differential: DifferentialCase, style: DifferentialCase.Style) async throws
    {
        guard differential.styles.contains(style) else { return }
        let (plain, plainLog, _) = try await run(differential, style, isMetered: false)
        let (metered, meteredLog, sink) = try await run(differential, style, isMetered: true)
        #expect(metered == plain)
        #expect(meteredLog == plainLog)
        let requests = sink.requests
        #expect(await eventually { sink.ends.count == requests.count })
        #expect(requests.count == (style == .delegate ? 1 : differential.exchanges))
        #expect(Set(requests.map(\.task)).count == 1)
        #expect(requests.map(\.resendCount) == Array(0..<requests.count))
        for request in requests {
            #expect(request.size.evidence == .reconstructed || request.size.evidence == .unknown)
            let response = sink.response(to: request.exchange)
            #expect(response.map { $0.size.evidence <= .reconstructed } ?? true)
        }
        if style != .delegate { #expect(sink.untapped == 0) }
        let last = try #require(sink.ends.last)
        #expect(sink.response(to: last.exchange)?.status == plain.status || plain.status == nil || style == .delegate)
        switch plain.error {
        case nil: #expect(last.outcome == .completed)
        case "NSURLErrorDomain -999"?: #expect(last.outcome == .cancelled)
        case "NSURLErrorDomain -1001"?: #expect(last.outcome == .timedOut)
        default: #expect(last.outcome.name == "failed")
        }
    }

    /// What the program saw, what the origin saw, and what was reported.
    private func run(
        _ differential: DifferentialCase, _ style: DifferentialCase.Style, isMetered: Bool
    ) async throws -> (DifferentialCase.Seen, [[String]], RecordingSink) {
        let origin = LoopbackOrigin(handler: differential.script)
        try origin.start()
        defer { origin.stop() }
        let sink = RecordingSink()
        var configuration = differential.configuration()
        let observer =
            isMetered
            ? try URLProtocolObserver.start(
                output: ObserverOutput(sink: sink), settings: .init(observesSharedSession: false)) : nil
        defer { observer?.stop() }
        if let observer { configuration = configuration.metered(by: observer) }
        var seen = await differential.perform(in: configuration, style: style, origin: origin)
        seen.fields["Date"] = nil
        _ = origin.waitUntilIdle(seconds: 1)
        let port = "\(origin.port)"
        let log = origin.exchanges.map { exchange in
            // Foundation's order of fields is random.
            String(decoding: exchange.requestLog.kept, as: UTF8.self).replacingOccurrences(of: port, with: "PORT")
                .components(separatedBy: "\r\n").sorted()
        }
        return (seen, log, sink)
    }
}
