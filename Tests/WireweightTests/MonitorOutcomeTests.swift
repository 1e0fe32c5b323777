import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel
import TrafficStore
import Wireweight
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What URLSession does with a task by itself, without libcurl's knowledge.
@Suite("Outcomes of URLSession's tasks", .serialized, .oneAtATime)
struct MonitorOutcomeTests {
    private let file = TemporaryFile()

    private func rows(matching filter: ExchangeFilter = .init()) throws -> [StoredExchange] {
        var rows: [StoredExchange] = []
        try StoreReader.open(file.path).forEachExchange(matching: filter, order: .oldestFirst, after: nil) {
            rows.append($0)
            return true
        }
        return rows
    }

    private func meter(_ origin: LoopbackOrigin, _ body: () async throws -> Void) async throws -> [StoredExchange] {
        try origin.start()
        defer { origin.stop() }
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        try await body()
        await monitor.flush()
        monitor.stop()
        return try rows()
    }

    private static let begun = Script.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", as: .body)

    private func answer(_ request: OriginRequest) -> Script {
        switch request.target {
        case "/stall": Self.begun + .hold
        case "/hang": .hold
        default: Corpus.text("hello")
        }
    }

    @Test("a task that its own timer ends has timed out, on a new connection and on one that was used before")
    func timeouts() async throws {
        let origin = LoopbackOrigin(handler: answer)
        let rows = try await meter(origin) {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = 1
            let session = URLSession(configuration: configuration)
            defer { session.finishTasksAndInvalidate() }
            for path in ["/hang", "/warm", "/stall"] {
                let url = try #require(URL(string: origin.address + path))
                let error = await #expect(throws: URLError.self, "\(path)") {
                    _ = try await session.data(for: URLRequest(url: url))
                    if path == "/warm" { throw URLError(.unknown) }
                }
                #expect(error?.code == (path == "/warm" ? .unknown : .timedOut))
            }
        }
        #expect(rows.map(\.end?.outcome) == [.timedOut, .completed, .timedOut])
        #expect(rows.map(\.hasFailed) == [true, false, true])
    }

    /// libcurl 7 says of such a transfer that it took microseconds; our clock is asked instead.
    @Test("a timeout on a connection that an earlier request opened took as long as the program waited")
    func timeoutOnAReusedConnection() async throws {
        let origin = LoopbackOrigin(handler: answer)
        let clock = ContinuousClock()
        let begin = clock.now
        let rows = try await meter(origin) {
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            _ = try await session.data(from: try #require(URL(string: origin.address + "/warm")))
            var request = URLRequest(url: try #require(URL(string: origin.address + "/hang")))
            request.timeoutInterval = 1
            let hanging = request
            let error = await #expect(throws: URLError.self) { _ = try await session.data(for: hanging) }
            #expect(error?.code == .timedOut)
        }
        let whole = clock.now - begin
        #expect(rows.map(\.end?.outcome) == [.completed, .timedOut])
        #expect(rows.map(\.end?.reusedConnection) == [false, true])
        let (row, end) = (try #require(rows.last), try #require(rows.last?.end))
        #expect(rows.first?.connection == row.connection && row.connection != nil)
        let total = try #require(end.timings.total)
        // No sooner than URLSession's timer, which began with the task, and within what the test itself took.
        #expect(total >= 900_000_000 && .nanoseconds(total) <= whole, "\(total) ns of \(whole)")
        #expect(row.duration == total)
        #expect(total == end.endedAt.nanoseconds - row.request.startedAt.nanoseconds)
        #expect(row.records.timeFaults == [])
        #expect(end.timings.receive == nil)
        #expect(end.timings.attributed + (end.timings.unattributed ?? 0) == total)
        var filter = ExchangeFilter()
        filter.slowerThan = 900_000_000
        #expect(try self.rows(matching: filter).map(\.request.path) == ["/hang"])
    }

    @Test("a task that the program cancels is cancelled, however long it waited")
    func cancels() async throws {
        let origin = LoopbackOrigin(handler: answer)
        let rows = try await meter(origin) {
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            var request = URLRequest(url: try #require(URL(string: origin.address + "/stall")))
            request.timeoutInterval = 60
            let whole = request
            let task = session.dataTask(with: whole)
            task.resume()
            #expect(await eventually { (try? self.rows().first?.response) != nil })
            // As long as a program's own patience may be.
            try await Task.sleep(for: .seconds(1))
            task.cancel()
            #expect(await eventually { (try? self.rows().first?.end) != nil })
        }
        #expect(rows.map(\.end?.outcome) == [.cancelled])
    }

    @Test("the request that answers a challenge is of the task that was challenged")
    func challenges() async throws {
        let origin = LoopbackOrigin { request in
            request.fields.contains { $0.name == "Authorization" }
                ? Corpus.text("hello")
                : .respond("401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"x\""], body: .text("no"))
        }
        let rows = try await meter(origin) {
            let session = URLSession(
                configuration: .ephemeral, delegate: Credentials(), delegateQueue: nil)
            defer { session.finishTasksAndInvalidate() }
            for path in ["/a", "/b"] {
                let url = try #require(URL(string: origin.address + path))
                session.dataTask(with: url).resume()
                let count = path == "/a" ? 2 : 4
                #expect(await eventually { (try? self.rows().count { $0.end != nil }) == count })
            }
        }
        #expect(rows.map { $0.response?.status } == [401, 200, 401, 200])
        #expect(rows.map(\.request.resendCount) == [0, 1, 0, 1])
        #expect(
            rows.map(\.task) == [0, 0, 2, 2].map { rows.isEmpty ? StoredExchange.ID(0) : rows[$0].id })
    }

    private final class Credentials: NSObject, URLSessionTaskDelegate, Sendable {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            completionHandler(.useCredential, URLCredential(user: "u", password: "p", persistence: .none))
        }
    }
}
