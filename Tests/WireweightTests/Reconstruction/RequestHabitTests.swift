import Foundation
import HTTPWire
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What URLSession does with a request that the corpus has not: the profile beside what the origin logged.
@Suite("The habits of URLSession", .serialized, .oneAtATime)
struct RequestHabitTests {
    struct Habit: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var suffix = ""
        var userInfo = ""
        var fields: [String: String] = [:]
        var session: [String: String] = [:]
        var cookies: [String: String] = [:]
        var content = ShownExchange.Content.none
        var requestWantsCookies = true
        var sessionWantsCookies = true
        var isProxied = false

        init(_ name: String, _ change: (inout Habit) -> Void = { _ in }) {
            self.name = name
            change(&self)
        }

        var testDescription: String { name }
    }

    static let habits: [Habit] = [
        Habit("nothing set"),
        Habit("a path with dot segments") { $0.suffix = "/a/./b/../c/x.y/..z/..?q=/../" },
        Habit("dot segments at the end") { $0.suffix = "/a/b/.." },
        Habit("more dot segments than segments") { $0.suffix = "/../../../../a/." },
        Habit("empty segments") { $0.suffix = "//a//../b//" },
        Habit("percent-encoding and what needs none") {
            $0.suffix = "/%C3%A4%20x;v=1/~a!$&'()*+,;=:@?k=%2F+b&c[]=1#frag"
        },
        Habit("encoded dot segments") { $0.suffix = "/a/%2e%2E/b" },
        Habit("an empty query") { $0.suffix = "/a?" },
        Habit("user info in the URL") { $0.userInfo = "user:pa%20ss@" },
        Habit("user info without a password") { $0.userInfo = "user@" },
        Habit("user info and a field for it") {
            $0.userInfo = "user:pass@"
            $0.fields = ["authorization": "Bearer x"]
        },
        Habit("fields of the session") { $0.session = ["X-One": "1", "Accept": "text/html", "accept-language": "de"] },
        Habit("fields of the session that the request sets") {
            $0.session = ["X-One": "from the session", "Accept": "text/html"]
            $0.fields = ["x-one": "1", "ACCEPT": "a"]
        },
        Habit("an empty field") { $0.fields = ["X-Empty": ""] },
        Habit("an empty field in a default's place") { $0.fields = ["Accept": "", "User-Agent": ""] },
        Habit("a blank field") { $0.fields = ["X-Blank": "  ", "Accept-Language": " "] },
        Habit("padded fields") { $0.fields = ["X-Left": "   a", "X-Right": "b   ", "X-Both": " \t c \t"] },
        Habit("a field that is not ASCII") { $0.fields = ["X-Name": "Müller"] },
        Habit("all defaults set") {
            $0.fields = [
                "Accept": "a", "Accept-Encoding": "gzip", "Accept-Language": "b", "User-Agent": "c",
                "Connection": "close",
            ]
        },
        Habit("another host") { $0.fields = ["Host": "example.com"] },
        Habit("a connection that is upgraded") { $0.fields = ["Connection": "Upgrade", "Upgrade": "foo"] },
        Habit("cookies of the storage") { $0.cookies = ["a": "1", "session": "0123456789"] },
        Habit("cookies of the storage and of the request") {
            $0.cookies = ["a": "1"]
            $0.fields = ["Cookie": "b=2; c=3"]
        },
        Habit("cookies of the storage and of the session") {
            $0.cookies = ["a": "1"]
            $0.session = ["cookie": "b=2; c=3"]
        },
        Habit("cookies that the request refuses, which Foundation ignores") {
            $0.cookies = ["a": "1"]
            $0.requestWantsCookies = false
        },
        Habit("cookies that the session does not want") {
            $0.cookies = ["a": "1"]
            $0.sessionWantsCookies = false
        },
        Habit("a method without content") { $0.method = "DELETE" },
        Habit("a POST without content") { $0.method = "POST" },
        Habit("a method of its own") { $0.method = "QUERY" },
        Habit("HEAD") { $0.method = "HEAD" },
        Habit("POST with content in the request") {
            $0.method = "POST"
            $0.content = .body(300)
        },
        Habit("POST with content in the request, and a type") {
            $0.method = "POST"
            $0.content = .body(300)
            $0.fields = ["content-type": "application/json"]
        },
        Habit("POST with content in the request, and a type of the session") {
            $0.method = "POST"
            $0.content = .body(300)
            $0.session = ["Content-Type": "application/json"]
        },
        Habit("PUT with content in the request") {
            $0.method = "PUT"
            $0.content = .body(300)
        },
        Habit("DELETE with content in the request") {
            $0.method = "DELETE"
            $0.content = .body(300)
        },
        Habit("POST of more than 1 MB in the request") {
            $0.method = "POST"
            $0.content = .body(1_200_000)
        },
        Habit("an upload that names its length") {
            $0.method = "POST"
            $0.content = .upload(300)
            $0.fields = ["Content-Length": "300"]
        },
        Habit("an upload in chunks by its own field") {
            $0.method = "POST"
            $0.content = .upload(200_000)
            $0.fields = ["Transfer-Encoding": "chunked"]
        },
        Habit("a stream") {
            $0.method = "PUT"
            $0.content = .stream(131_048)
        },
        Habit("a stream without content") {
            $0.method = "POST"
            $0.content = .stream(0)
        },
        Habit("a stream that names its length") {
            $0.method = "PUT"
            $0.content = .stream(70_000)
            $0.fields = ["Content-Length": "70000"]
        },
        Habit("a streamed upload") {
            $0.method = "PUT"
            $0.content = .streamedUpload(65_525)
        },
        Habit("a streamed upload that expects nothing") {
            $0.method = "POST"
            $0.content = .streamedUpload(100)
            $0.fields = ["Expect": "", "Content-Type": "a/b"]
        },
        Habit("an upload that expects") {
            $0.method = "PUT"
            $0.content = .upload(100)
            $0.fields = ["Expect": "100-continue"]
        },
        Habit("through a proxy") {
            $0.isProxied = true
            $0.suffix = "/a/../b?c=d"
        },
        Habit("an upload through a proxy") {
            $0.isProxied = true
            $0.method = "POST"
            $0.content = .upload(10)
            $0.fields = ["proxy-connection": "close"]
        },
    ]

    @Test("each part of a request is what the origin logged", arguments: habits.filter { !$0.isProxied })
    func request(habit: Habit) async throws { try await check(habit) }

    /// The proxy is set in the environment of the whole process, so this runs in a process of its own.
    @Test("each part of a request through a proxy is what the proxy logged")
    func proxiedRequest() async {
        await #expect(processExitsWith: .success) {
            for habit in Self.habits where habit.isProxied { try await Self().check(habit) }
        }
    }

    private func check(_ habit: Habit) async throws {
        let origin = LoopbackOrigin { request in
            let expects = request.value(of: "Expect") == "100-continue"
            return (expects ? .interim("100 Continue") : Script([])) + Corpus.echo
        }
        try origin.start()
        defer { origin.stop() }
        let hops = await send(habit, to: origin)
        _ = origin.waitUntilIdle()
        let logged = try #require(origin.exchanges.first)
        var shown = try #require(hops.first?.shownRequest)
        if habit.isProxied { shown.targetForm = .absolute }
        let size = Reconstruction.request(shown, profile: ShownExchange.profile).size
        let parts = [size.startLine, size.fields, size.cookies, size.interim, size.body, size.framing]
        let expected = logged.request
        let head = String(decoding: logged.requestLog.kept.prefix(1_000), as: UTF8.self)
        #expect(
            parts.map { Int($0.bytes.bytes) } == [
                expected.startLine, expected.fields, expected.cookies, expected.interim, expected.body,
                expected.framing,
            ], "\(head)")
    }

    private func send(_ habit: Habit, to origin: LoopbackOrigin) async -> [ShownExchange] {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = habit.session
        configuration.timeoutIntervalForRequest = 10
        configuration.httpShouldSetCookies = habit.sessionWantsCookies
        var address = origin.address
        if habit.isProxied {
            setenv("http_proxy", address, 1)
            address = "http://nowhere.example:8080"
        }
        for (name, value) in habit.cookies {
            let cookie = HTTPCookie(properties: [
                .name: name, .value: value, .domain: habit.isProxied ? "nowhere.example" : "127.0.0.1", .path: "/",
            ])
            if let cookie { configuration.httpCookieStorage?.setCookie(cookie) }
        }
        let text = address.replacingOccurrences(of: "://", with: "://" + habit.userInfo) + "/h" + habit.suffix
        guard let url = URL(string: text) else { return [] }
        var request = URLRequest(url: url)
        request.httpMethod = habit.method
        request.httpShouldHandleCookies = habit.requestWantsCookies
        for (name, value) in habit.fields { request.setValue(value, forHTTPHeaderField: name) }
        var exchange = ShownExchange(request: request)
        exchange.content = habit.content
        exchange.additionalFields = habit.session
        exchange.setsCookies = habit.sessionWantsCookies
        var streamed = 0
        if case .streamedUpload(let count) = habit.content { streamed = count }
        let watcher = SessionWatcher(streamed: streamed)
        let session = URLSession(configuration: configuration, delegate: watcher, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return await exchange.perform(session, watcher)
    }
}
