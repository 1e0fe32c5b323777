import CurlObserver
import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a test says of the traffic of its own program.
@Suite("Metering in tests", .serialized, .oneAtATime)
struct MeteringTests {
    private func origin(_ handler: @escaping @Sendable (OriginRequest) -> Script = { _ in Self.hello }) throws
        -> LoopbackOrigin
    {
        let origin = LoopbackOrigin(handler: handler)
        try origin.start()
        return origin
    }

    private static let hello = Script.respond("200 OK", fields: ["Content-Type: text/plain"], body: .text("hello"))

    private func get(_ url: String, fields: [String: String] = [:]) async throws -> String {
        var request = URLRequest(url: try #require(URL(string: url)))
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        return String(decoding: try await session.data(for: request).0, as: UTF8.self)
    }

    @Test("the sums are the bytes that the origin saw, and the result is that of the body")
    func sums() async throws {
        let origin = try origin()
        defer { origin.stop() }
        _ = try await get(origin.address + "/before")
        let before = (up: origin.receivedBytes, down: origin.sentBytes)
        let traffic = try await metering {
            for id in 1...3 { _ = try await get(origin.address + "/users/\(id)") }
            return try await get(origin.address + "/feed", fields: ["Cookie": "a=b"])
        }
        _ = try await get(origin.address + "/after")
        #expect(traffic.result == "hello")
        let exchanges = origin.exchanges.dropFirst().dropLast()
        #expect(traffic.up.bytes == Int64(exchanges.reduce(0) { $0 + $1.request.total }))
        #expect(before.up + Int(traffic.up.bytes) < origin.receivedBytes)
        #expect(traffic.down.bytes == Int64(exchanges.reduce(0) { $0 + $1.response.total }))
        #expect(traffic.total == traffic.up + traffic.down)
        #expect(traffic.total < .kilobytes(40))
        #expect((traffic.requests, traffic.responses, traffic.unanswered, traffic.failures) == (4, 4, 0, 0))
        #expect(traffic.api("GET", "/feed").requests == 1)
        #expect(traffic.api("GET", "/users/{id}").requests == 3)
        #expect(traffic.api("GET", "/users/{id}", host: "127.0.0.1").requests == 3)
        #expect(traffic.api("GET", "/users/{id}", host: "other.example").requests == 0)
        #expect(traffic.api("POST", "/feed").total == .zero)
        #expect(traffic.apis.map(\.template) == ["/feed", "/users/{id}"])
        #expect(traffic.apis.reduce(.zero) { $0 + $1.total } == traffic.total)
        #expect(traffic.exchanges.map(\.request.path) == ["/users/1", "/users/2", "/users/3", "/feed"])
        #expect(traffic.parts.up.cookies.bytes == Int64("Cookie: a=b\r\n".utf8.count))
        #expect(traffic.parts.down.body == .bytes(20))
        #expect(traffic.losses.isEmpty)
    }

    @Test("requests without an answer and refusals count")
    func failures() async throws {
        let origin = try origin { $0.path == "/broken" ? .respond("500 Oops", body: .sized([])) : Self.hello }
        defer { origin.stop() }
        let closed = try ClosedPort()
        let traffic = try await metering {
            _ = try await get(origin.address + "/broken")
            await #expect(throws: (any Error).self) { try await get("http://127.0.0.1:\(closed.number)/nobody") }
        }
        #expect((traffic.requests, traffic.responses, traffic.unanswered, traffic.failures) == (2, 1, 1, 2))
        #expect(traffic.api("GET", "/nobody").unanswered == 1)
        #expect(traffic.api("GET", "/broken").failures == 1)
    }

    @Test("only the hosts that were named count, with their ports")
    func hosts() async throws {
        let (first, second) = (try origin(), try origin())
        defer {
            first.stop()
            second.stop()
        }
        let traffic = try await metering(hosts: [second.authority]) {
            _ = try await get(first.address + "/first")
            _ = try await get(second.address + "/second")
        }
        #expect(traffic.apis.map(\.template) == ["/second"])
        #expect(traffic.down.bytes == Int64(second.sentBytes))
    }

    @Test("two servers are two, and an API is found over all, at any port or at one")
    func services() async throws {
        let (first, second) = (try origin(), try origin())
        defer {
            first.stop()
            second.stop()
        }
        let traffic = try await metering {
            _ = try await get(first.address + "/feed")
            _ = try await get(second.address + "/feed")
            _ = try await get(second.address + "/feed")
        }
        #expect(Set(traffic.apis.compactMap(\.host)) == [first.authority, second.authority])
        #expect(traffic.api("GET", "/feed").requests == 3)
        #expect(traffic.api("GET", "/feed", host: "127.0.0.1").requests == 3)
        #expect(traffic.api("GET", "/feed", host: first.authority).requests == 1)
        #expect(traffic.api("GET", "/feed", host: second.authority).requests == 2)
    }

    @Test("the body's error comes through, and the process can be metered again")
    func errors() async throws {
        struct Mine: Error, Equatable { var number: Int }
        await #expect(throws: Mine(number: 7)) {
            try await metering { throw Mine(number: 7) }
        }
        let origin = try origin()
        defer { origin.stop() }
        #expect(try await metering { _ = try await get(origin.address + "/") }.requests == 1)
    }

    @Test("metering inside of metering is an error, and so is a process that is metered already")
    func refusals() async throws {
        let nested = try await metering {
            await #expect(throws: MeteringError.self) { try await metering {} }
        }
        #expect(nested.result?.code == .nested)
        let monitor = try CurlObserver(sink: Nobody())
        defer { monitor.stop() }
        let hasRun = Atomic(false)
        let error = await #expect(throws: MeteringError.self) {
            try await metering { hasRun.store(true, ordering: .relaxed) }
        }
        #expect(error?.code == .alreadyMetered)
        #expect(error?.message == "another monitor meters this process already; stop it first")
        let ran = hasRun.load(ordering: .relaxed)
        #expect(!ran)
    }

    @Test("those who meter at the same time take turns, and each sees its own")
    func turns() async throws {
        let origin = try origin()
        defer { origin.stop() }
        let address = origin.address
        let paths = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for number in 0..<8 {
                group.addTask {
                    let traffic = try await metering {
                        for _ in 0..<3 { _ = try await get(address + "/turn-\(number)x") }
                    }
                    return (number, traffic.exchanges.map(\.request.path))
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(paths.count == 8)
        for (number, seen) in paths { #expect(seen == Array(repeating: "/turn-\(number)x", count: 3)) }
    }

    @Test("who is cancelled while waiting gets no turn, and the others get theirs")
    func cancellation() async throws {
        let turn = Turn()
        try await turn.take()
        let cancelled = Task { try await turn.take() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let next = Task { try await turn.take() }
        turn.give()
        try await next.value
        turn.give()
        try await turn.take()
    }

    /// A request that the origin has and does not answer yet; libcurl has shown what it sent.
    private func begin(at origin: LoopbackOrigin) async throws -> Task<String, any Error> {
        let session = URLSession(configuration: .ephemeral)
        let (slow, quick) = try (
            #require(URL(string: origin.address + "/slow")), #require(URL(string: origin.address + "/quick"))
        )
        let task = Task { String(decoding: try await session.data(from: slow).0, as: UTF8.self) }
        #expect(await eventually { origin.exchanges.contains { $0.target == "/slow" } })
        // One thread at a time serves a session: when this is answered, the other has long been shown.
        _ = try await session.data(from: quick)
        session.finishTasksAndInvalidate()
        return task
    }

    @Test("a request that the body leaves running is waited for, as long as the patience lasts")
    func settling() async throws {
        let origin = try origin { $0.path == "/slow" ? .pause(milliseconds: 300) + Self.hello : Self.hello }
        defer { origin.stop() }
        let traffic = try await metering(patience: .seconds(30)) { try await begin(at: origin) }
        #expect(try await traffic.result.value == "hello")
        #expect((traffic.requests, traffic.unanswered) == (2, 0))
    }

    @Test("what outlasts the patience is unanswered, and weighs what was sent")
    func impatience() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let origin = try origin { request in
            if request.path == "/slow" { mayAnswer.wait() }
            return Self.hello
        }
        defer { origin.stop() }
        let traffic = try await metering(patience: .zero) { try await begin(at: origin) }
        mayAnswer.signal()
        #expect((traffic.requests, traffic.unanswered, traffic.failures) == (2, 1, 0))
        let slow = try #require(traffic.exchanges.first { $0.request.path == "/slow" })
        #expect(slow.end?.outcome == .abandoned)
        #expect(try await traffic.result.value == "hello")
        #expect(traffic.up.bytes == Int64(origin.receivedBytes))
    }

    @Test("a budget that is exceeded says which APIs are heaviest, and which part of each")
    func heaviest() async throws {
        let origin = LoopbackOrigin { request in
            .respond(body: .fill(Int(request.path.split(separator: "/").last ?? "") ?? 0))
        }
        try origin.start()
        defer { origin.stop() }
        let traffic = try await metering {
            for path in ["/a/9", "/b/5000", "/c/90000", "/d/7", "/e/800"] { _ = try await get(origin.address + path) }
        }
        #expect(traffic.fits(.kilobytes(100)) && !traffic.fits(.kilobytes(95)))
        #expect(traffic.fits(up: traffic.up, down: traffic.down))
        #expect(!traffic.fits(up: ByteCount(traffic.up.bytes - 1), down: traffic.down))
        #expect(!traffic.fits(up: traffic.up, down: ByteCount(traffic.down.bytes - 1)))
        let lines = "\(traffic)".split(separator: "\n").dropFirst().map(String.init)
        #expect(lines.count == 4)
        for (line, path) in zip(lines, ["/c/{id}", "/b/{id}", "/e/{id}"]) {
            #expect(line.contains(" \(path): 1 request, "), "\(line)")
            #expect(line.contains("; mostly response bodies: "), "\(line)")
        }
        let rest = traffic.api("GET", "/a/{id}").total + traffic.api("GET", "/d/{id}").total
        #expect(lines.last == "  2 more: \(rest.bytes) B")
        #expect(Metering.isPossible)
    }

    @Test("sums say in words what they are")
    func words() async throws {
        let origin = try origin()
        defer { origin.stop() }
        let closed = try ClosedPort()
        let traffic = try await metering {
            _ = try await get(origin.address + "/users/1")
            _ = try? await get("http://127.0.0.1:\(closed.number)/nobody")
        }
        let (up, down) = (traffic.up.bytes, traffic.down.bytes)
        let lines = "\(traffic)".split(separator: "\n").map(String.init)
        #expect(lines.first == "2 requests (1 unanswered, 1 failed), \(up) B up, \(down) B down")
        // The heaviest first, with its largest part.
        let figures = "\(up) B up, \(down) B down; mostly request headers: \(traffic.parts.up.fields.bytes) B"
        #expect(
            lines.dropFirst() == [
                "  GET \(origin.authority) /users/{id}: 1 request, \(figures)",
                "  GET 127.0.0.1:\(closed.number) /nobody: 1 request (1 unanswered, 1 failed), 0 B up, 0 B down",
            ])
        #expect("\(traffic.api("GET", "/none"))" == "GET /none: 0 requests, 0 B up, 0 B down")
    }
}

/// Listens to nothing.
private struct Nobody: TrafficSink {
    func record(_ event: TrafficEvent) {}
}
