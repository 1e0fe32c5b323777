import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel
import TrafficStore
import Wireweight
import WireweightInspector
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The three lines in an app's code.
@Suite("The monitor", .serialized, .oneAtATime)
struct MonitorTests {
    private let file = TemporaryFile()

    private func origin(_ script: @escaping @Sendable (OriginRequest) -> Script = { _ in Corpus.text("hello") }) throws
        -> LoopbackOrigin
    {
        let origin = LoopbackOrigin(handler: script)
        try origin.start()
        return origin
    }

    private func get(_ url: String, fields: [String: String] = [:]) async throws {
        var request = URLRequest(url: try #require(URL(string: url)))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.data(for: request)
    }

    private func rows() throws -> [StoredExchange] {
        var rows: [StoredExchange] = []
        try StoreReader.open(file.path).forEachExchange(matching: .init(), order: .oldestFirst, after: nil) {
            rows.append($0)
            return true
        }
        return rows
    }

    @Test("starting twice is an error that says so, and the first goes on")
    func startTwice() async throws {
        let origin = try origin()
        defer { origin.stop() }
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        defer { monitor.stop() }
        let other = TemporaryFile()
        let error = #expect(throws: MonitorError.self) { try TrafficMonitor.start(.init(store: other.path)) }
        #expect(error?.code == .alreadyStarted)
        #expect(TrafficMonitor.running === monitor)
        #expect(error?.message == "another monitor meters this process already; stop it first")
        #expect(!FileManager.default.fileExists(atPath: other.path))
        try await get(origin.address + "/after")
        await monitor.flush()
        #expect(try rows().map(\.request.path) == ["/after"])
        monitor.stop()
        #expect(TrafficMonitor.running == nil)
    }

    @Test("stop ends it, and start begins again in the same file")
    func stopAndStart() async throws {
        let origin = try origin()
        defer { origin.stop() }
        for round in 1...3 {
            let monitor = try TrafficMonitor.start(.init(store: file.path))
            try await get(origin.address + "/metered/\(round)")
            monitor.stop()
            monitor.stop()
            try await get(origin.address + "/unmetered/\(round)")
        }
        #expect(try rows().map(\.request.path) == ["/metered/1", "/metered/2", "/metered/3"])
    }

    @Test("a request that still runs at the stop is abandoned in the file, and answered in the program")
    func stopInFlight() async throws {
        // The answer waits for the stop, however long that takes on a busy machine.
        let hasCome = Mutex(false)
        let mayAnswer = DispatchSemaphore(value: 0)
        let origin = try origin { _ in
            hasCome.withLock { $0 = true }
            mayAnswer.wait()
            return Corpus.text("late")
        }
        defer { origin.stop() }
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        let address = origin.address
        async let answer: Void = get(address + "/slow")
        #expect(await eventually { hasCome.withLock(\.self) })
        // libcurl shows what it has sent a moment later.
        #expect(await eventually { (try? rows().first?.request.size.known.bytes) == Int64(origin.receivedBytes) })
        monitor.stop()
        mayAnswer.signal()
        try await answer
        let row = try #require(try rows().first)
        #expect(row.end?.outcome == .abandoned)
        #expect(row.response == nil)
        #expect(row.request.size.known.bytes == Int64(origin.exchanges[0].request.total))
    }

    @Test("requests without a response are rows: refused, and never answered")
    func unanswered() async throws {
        let closed = try ClosedPort()
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        await #expect(throws: (any Error).self) { try await get("http://127.0.0.1:\(closed.number)/nobody") }
        await monitor.flush()
        monitor.stop()
        let row = try #require(try rows().first)
        #expect(row.request.path == "/nobody")
        #expect(row.request.size == .nothing)
        #expect(row.response == nil)
        guard let failure = row.end?.outcome.failure else {
            Issue.record("the outcome is \(String(describing: row.end?.outcome))")
            return
        }
        // CURLE_COULDNT_CONNECT
        #expect((failure.domain, failure.code) == (.libcurl, 7))
        #expect(!failure.message.isEmpty)
    }

    @Test("credentials, cookies and tokens are measured, and are nowhere in the file")
    func secrets() async throws {
        let planted = ["S3cr3t-basic", "S3cr3t-cookie", "S3cr3t-set", "S3cr3t-query", "S3cr3t-key"]
        let origin = try origin { _ in
            Corpus.text("hello", fields: ["Set-Cookie: id=S3cr3t-set; Path=/", "Content-Type: text/plain"])
        }
        defer { origin.stop() }
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        try await get(
            origin.address + "/login?access_token=S3cr3t-query&page=2",
            fields: [
                "Authorization": "Basic S3cr3t-basic", "Cookie": "session=S3cr3t-cookie", "X-Api-Key": "S3cr3t-key",
            ])
        await monitor.flush()
        monitor.stop()
        for suffix in ["", "-wal"] {
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: file.path + suffix))) ?? Data()
            for secret in planted where bytes.range(of: Data(secret.utf8)) != nil {
                Issue.record("'\(secret)' is in the file\(suffix)")
            }
        }
        let row = try #require(try rows().first)
        #expect(row.request.size.known.bytes == Int64(origin.exchanges[0].request.total))
        #expect(row.request.size.cookies.bytes.bytes == Int64("Cookie: session=S3cr3t-cookie\r\n".utf8.count))
        #expect(row.response?.size.cookies.bytes.bytes == Int64("Set-Cookie: id=S3cr3t-set; Path=/\r\n".utf8.count))
    }

    @Test("hosts that are not wanted leave no row")
    func hosts() async throws {
        let origin = try origin()
        defer { origin.stop() }
        var configuration = TrafficMonitor.Configuration(store: file.path)
        configuration.hosts.exclude = ["localhost"]
        let monitor = try TrafficMonitor.start(configuration)
        try await get("http://localhost:\(origin.port)/hidden")
        try await get("http://127.0.0.1:\(origin.port)/shown")
        await monitor.flush()
        monitor.stop()
        #expect(try rows().map(\.request.path) == ["/shown"])
    }

    @Test("sampling thins the rows out and not the totals")
    func sampling() async throws {
        let origin = try origin()
        defer { origin.stop() }
        var configuration = TrafficMonitor.Configuration(store: file.path)
        configuration.keepRowsOfOneIn = 4
        let monitor = try TrafficMonitor.start(configuration)
        for number in 1...40 { try await get(origin.address + "/item/\(number)") }
        await monitor.flush()
        monitor.stop()
        let totals = try StoreReader.open(file.path).totals(by: .api, in: .always)
        #expect(totals.map(\.requests) == [40])
        #expect(totals.map(\.down.total.bytes) == [Int64(origin.sentBytes)])
        #expect(try rows().count < 40)
    }

    @Test("bodies are kept only when asked for, up to the limit, without their framing")
    func bodies() async throws {
        let text = String(repeating: "0123456789", count: 100)
        let origin = try origin { _ in .respond(body: .chunked(Array(text.utf8), sizes: [7, 13, 200])) }
        defer { origin.stop() }
        for limit in [0, 500] {
            var configuration = TrafficMonitor.Configuration(store: file.path)
            if limit > 0 { configuration.bodies = .first(bytes: limit) }
            let monitor = try TrafficMonitor.start(configuration)
            try await get(origin.address + "/\(limit)")
            await monitor.flush()
            monitor.stop()
        }
        let kept = try rows().map { $0.response?.capturedBody }
        #expect(kept.count == 2)
        #expect(kept[0] == nil)
        let body = try #require(kept[1])
        #expect(body.count > 400 && body.count <= 500)
        #expect(Array(text.utf8).starts(with: body))
    }

    @Test("a file that is no store is refused, said, and left as it is")
    func foreignFile() throws {
        let text = Data("not a database, and dear to somebody\n".utf8)
        try text.write(to: URL(fileURLWithPath: file.path))
        let error = #expect(throws: MonitorError.self) { try TrafficMonitor.start(.init(store: file.path)) }
        #expect(error?.code == .unusableStore)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file.path)) == text)
        // And the process can be metered afterwards.
        let other = TemporaryFile()
        try TrafficMonitor.start(.init(store: other.path)).stop()
    }

    @Test("a configuration without an observer is refused, and no file is made")
    func noObserver() throws {
        var configuration = TrafficMonitor.Configuration(store: file.path)
        configuration.observers = []
        let error = #expect(throws: MonitorError.self) { try TrafficMonitor.start(configuration) }
        #expect(error?.code == .cannotObserve)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("the redirects of one task are reported as one task, attempt by attempt")
    func redirects() async throws {
        let origin = try origin { request in
            switch request.path {
            case "/a": .respond("302 Found", fields: ["Location: /b"], body: .sized([]))
            case "/b": .respond("307 Temporary Redirect", fields: ["Location: /c?x=1"], body: .sized([]))
            default: Corpus.text("there")
            }
        }
        defer { origin.stop() }
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        try await get(origin.address + "/a")
        await monitor.flush()
        monitor.stop()
        let rows = try rows()
        #expect(rows.map(\.request.path) == ["/a", "/b", "/c"])
        #expect(rows.map(\.request.resendCount) == [0, 1, 2])
        #expect(Set(rows.map(\.task)).count == 1)
    }

    @Test("requests count for the carrier that was named before them, also those that get no connection")
    func carriers() async throws {
        let origin = try origin()
        defer { origin.stop() }
        let closed = try ClosedPort()
        var configuration = TrafficMonitor.Configuration(store: file.path)
        configuration.resource.region = "eu"
        let monitor = try TrafficMonitor.start(configuration)
        try await get(origin.address + "/home")
        await monitor.flush()
        monitor.setCarrier("Example Mobile")
        try await get(origin.address + "/away")
        await #expect(throws: (any Error).self) { try await get("http://127.0.0.1:\(closed.number)/") }
        await monitor.flush()
        let reader = try monitor.reading()
        monitor.stop()
        func totals(_ grouping: TrafficGrouping) throws -> [String: [Int64]] {
            try reader.totals(by: grouping, in: .always).reduce(into: [:]) {
                $0[$1.key.source ?? ""] = [$1.requests, $1.failures]
            }
        }
        #expect(try totals(.carrier) == ["": [1, 0], "Example Mobile": [2, 1]])
        #expect(try totals(.region) == ["eu": [3, 1]])
    }

    @Test("events are shown as they happen, in order")
    func events() async throws {
        let origin = try origin()
        defer { origin.stop() }
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        let events = monitor.events()
        try await get(origin.address + "/live")
        await monitor.flush()
        monitor.stop()
        var kinds: [String] = []
        for await event in events {
            switch event {
            case .request: kinds.append("request")
            case .response: kinds.append("response")
            case .end: kinds.append("end")
            case .connection, .loss, .device, .lookup, .carrier: break
            }
        }
        // A second event replaces the first.
        #expect(
            kinds.reduce(into: []) { if $0.last != $1 { $0.append($1) } }.suffix(3) == ["request", "response", "end"])
    }

    @Test("the page shows what is metered, pauses and clears it, and is not metered itself")
    func inspector() async throws {
        let origin = try origin()
        defer { origin.stop() }
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        let address = try await monitor.startInspector()
        func ask(_ path: String, _ method: String = "GET", body: String? = nil) throws -> String {
            let body = body.map { ["--data", $0] } ?? []
            let result = try Tool.run(
                #require(Tool.path(of: "curl")),
                ["-s", "-X", method, "-H", "X-Wireweight: 1", address + "api/v1/" + path] + body)
            return String(decoding: result.output, as: UTF8.self)
        }
        try await get(origin.address + "/one")
        await monitor.flush()
        #expect(try ask("exchanges").contains(#""path":"/one""#))
        #expect(try ask("pause", "POST").contains(#""paused":true"#))
        try await get(origin.address + "/two")
        #expect(try ask("resume", "POST").contains(#""paused":false"#))
        try await get(origin.address + "/three")
        await monitor.flush()
        #expect(try rows().map(\.request.path) == ["/one", "/three"])
        #expect(try ask("clear", "POST", body: #"{"confirm":true}"#).contains(#""exchanges":0"#))
        #expect(try rows().isEmpty)
        let taken = await #expect(throws: MonitorError.self) {
            try await monitor.startInspector(port: UInt16(URLComponents(string: address)?.port ?? 0))
        }
        #expect(taken?.code == .cannotInspect)
        monitor.stop()
        #expect(try ask("exchanges").isEmpty)
    }

    @Test func onTheLocalNetworkThePageNeedsItsToken() async throws {
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        defer { monitor.stop() }
        guard let own = LocalNetwork.address else {
            let error = await #expect(throws: MonitorError.self) { try await monitor.startInspector(on: .localNetwork) }
            #expect(error?.code == .cannotInspect)
            return
        }
        let address = try await monitor.startInspector(on: .localNetwork)
        let parts = try #require(URLComponents(string: address))
        #expect(parts.host == own)
        #expect(InspectorCode(address).description.split(separator: "\n").count == 21)
        #expect(InspectorCode(String(repeating: address, count: 3)).terminal.isEmpty)
        let token = try #require(parts.queryItems?.first { $0.name == "token" }?.value)
        func status(_ fields: [String]) throws -> String {
            let overview = "http://\(own):\(parts.port ?? 0)/api/v1/overview"
            let result = try Tool.run(
                #require(Tool.path(of: "curl")),
                ["-s", "--noproxy", "*", "-o", "/dev/null", "-w", "%{http_code}"] + fields + [overview])
            return String(decoding: result.output, as: UTF8.self)
        }
        #expect(try status([]) == "401")
        #expect(try status(["-H", "Authorization: Bearer \(token)"]) == "200")
    }

    @Test(
        arguments: [
            ([("lo", "127.0.0.1"), ("eth0", "192.168.1.7")], "192.168.1.7"),
            ([("pdp_ip0", "10.99.0.2"), ("en0", "172.20.10.1")], "172.20.10.1"),
            ([("bridge100", "192.168.2.1"), ("en0", "10.0.0.4")], "10.0.0.4"),
            ([("bridge100", "192.168.2.1"), ("utun3", "10.8.0.2")], "192.168.2.1"),
            ([("docker0", "172.17.0.1"), ("wlan0", "172.31.255.9")], "172.31.255.9"),
            ([("en0", "203.0.113.5"), ("en1", "169.254.3.4"), ("en2", "172.32.0.1")], nil), ([], nil),
        ] as [([(String, String)], String?)])
    func theAddressForOthersIsThatOfASharedNetwork(places: [(String, String)], address: String?) {
        #expect(LocalNetwork.best(of: places.map { (interface: $0.0, address: $0.1) }) == address)
    }
}
