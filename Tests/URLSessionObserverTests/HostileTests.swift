import Foundation
import Observing
import Locks
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Servers, streams and programs that misbehave: no crash, no hang, honest rows.
@Suite(.oneAtATime, .timeLimit(.minutes(2)))
struct HostileTests {
    private let sink = RecordingSink()

    private func withSession<Result: Sendable>(
        _ handler: @escaping @Sendable (OriginRequest) -> Script,
        _ body: (URLSession, LoopbackOrigin, URLProtocolObserver) async throws -> Result
    ) async throws -> Result {
        let origin = LoopbackOrigin(handler: handler)
        try origin.start()
        defer { origin.stop() }
        let observer = try URLProtocolObserver.start(
            output: ObserverOutput(sink: sink), settings: .init(observesSharedSession: false))
        defer { observer.stop() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 300
        let session = URLSession(configuration: configuration.metered(by: observer))
        return try await body(session, origin, observer)
    }

    @Test func aThousandTasksAtOnceHaveARowEach() async throws {
        try await withSession({ .respond(body: .text($0.target)) }) { session, origin, _ in
            let answers = await withTaskGroup(of: String?.self) { group in
                for number in 0..<1_000 {
                    group.addTask {
                        guard let url = URL(string: "\(origin.address)/\(number)") else { return nil }
                        return (try? await session.data(from: url)).map { String(decoding: $0.0, as: UTF8.self) }
                    }
                }
                return await group.reduce(into: Set<String?>()) { $0.insert($1) }
            }
            #expect(answers == Set((0..<1_000).map { "/\($0)" }))
        }
        #expect(Set(sink.requests.map(\.path)).count == 1_000)
        #expect(sink.responses.count == 1_000)
        #expect(sink.ends.map(\.outcome) == Array(repeating: .completed, count: 1_000))
    }

    // With handlers, and never at the very end: an `async` call that is cancelled while it ends can deadlock in Foundation
    // for Linux by itself, and any task that is cancelled then can end the process.
    @Test func cancelsAtAnyMomentEndEachTaskOnce() async throws {
        let begun = "HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\nhello"
        try await withSession({ _ in .write(begun, as: .body) + .hold }) { session, origin, _ in
            let url = try #require(URL(string: origin.address))
            let ended = await withTaskGroup(of: Int.self) { group in
                for number in 0..<300 {
                    group.addTask {
                        await withCheckedContinuation { continuation in
                            let task = session.dataTask(with: url) { _, _, _ in continuation.resume(returning: 1) }
                            task.resume()
                            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(50 * number)) {
                                task.cancel()
                            }
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(ended == 300)
        }
        // A task that is cancelled before it begins has no exchange.
        #expect(sink.requests.count <= 300)
        #expect(sink.ends.count == sink.requests.count)
        #expect(Set(sink.ends.map(\.exchange)).count == sink.ends.count)
        #expect(
            sink.ends.allSatisfy { $0.outcome == .cancelled || $0.outcome == .abandoned })
    }

    @Test func stoppedInMidFlightItTellsThemAsAbandonedAndTheProgramGetsItsAnswers() async throws {
        let released = Mutex(false)
        try await withSession({ _ in
            while !released.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
            return .respond(body: .text("late"))
        }) { session, origin, observer in
            let url = try #require(URL(string: origin.address))
            let calls = (0..<4).map { _ in Task { try await session.data(from: url).0 } }
            #expect(await eventually { sink.requests.count == 4 })
            observer.stop()
            let told = sink.events.count
            #expect(sink.ends.map(\.outcome) == Array(repeating: .abandoned, count: 4))
            released.withLock { $0 = true }
            for call in calls { #expect(String(decoding: try await call.value, as: UTF8.self) == "late") }
            // The session goes on without us.
            #expect(String(decoding: try await session.data(from: url).0, as: UTF8.self) == "late")
            #expect(sink.events.count == told)
        }
    }

    @Test func stoppedInMidFlightADelegateIsCalledToTheEnd() async throws {
        let released = Mutex(false)
        let differential = DifferentialCase(name: "") { _ in .hold }
        try await withSession({ _ in
            while !released.withLock({ $0 }) { Thread.sleep(forTimeInterval: 0.005) }
            return .respond(body: .text("late"))
        }) { session, origin, observer in
            let configuration = session.configuration
            let calls = (0..<4).map { _ in
                Task { await differential.perform(in: configuration, style: .delegate, origin: origin) }
            }
            #expect(await eventually { sink.requests.count == 4 })
            observer.stop()
            let told = sink.events.count
            #expect(sink.ends.map(\.outcome) == Array(repeating: .abandoned, count: 4))
            released.withLock { $0 = true }
            for call in calls {
                let seen = await call.value
                #expect(seen.callbacks == ["response 200", "data", "complete"])
                #expect(seen.body == Data("late".utf8))
            }
            #expect(sink.events.count == told)
        }
    }

    @Test func suspendedAndResumedTasksEndAsUsual() async throws {
        try await withSession({ _ in .respond(body: .fill(300_000)) }) { session, origin, _ in
            let url = try #require(URL(string: origin.address))
            let count = await withCheckedContinuation { continuation in
                let task = session.dataTask(with: url) { data, _, _ in continuation.resume(returning: data?.count) }
                task.resume()
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) {
                    task.suspend()
                    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { task.resume() }
                }
            }
            #expect(count == 300_000)
        }
        #expect(sink.ends.map(\.outcome) == [.completed])
    }

    @Test func aStreamThatFailsIsNoCompletedRequest() async throws {
        try await withSession({ _ in .respond(body: .text("ok")) }) { session, origin, _ in
            var request = URLRequest(url: try #require(URL(string: origin.address)))
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(fileAtPath: "/does/not/exist")
            request.timeoutInterval = 2
            let sent = request
            let result = await Task { try await session.data(for: sent) }.result
            let failed = if case .failure = result { true } else { false }
            #expect(await eventually { sink.ends.count == 1 })
            #expect((sink.ends.first?.outcome == .completed) == !failed)
        }
    }

    @Test func aBodyThatNeverEndsCountsWhatCame() async throws {
        try await withSession({ _ in
            Script([
                .write(Script.head("200 OK", fields: ["Transfer-Encoding: chunked"])),
                .fillChunks(count: 20, size: 1_000), .hold,
            ])
        }) { session, origin, _ in
            let url = try #require(URL(string: origin.address))
            let call = Task { try await session.data(from: url) }
            #expect(await eventually { origin.sentBytes > 20_000 })
            // Nothing signals when the client has read it.
            try await Task.sleep(nanoseconds: 500_000_000)
            call.cancel()
            _ = await call.result
        }
        #expect(sink.ends.map(\.outcome) == [.cancelled])
        #expect(sink.responses.first?.status == 200)
        #expect(sink.responses.first?.decodedBody == .init(20_000, .reconstructed))
        #expect(sink.responses.first?.size.body == .init(20_000, .reconstructed))
    }

    @Test func aPortThatRefusesCostsNoBytes() async throws {
        let closed = try ClosedPort()
        try await withSession({ _ in .hold }) { session, _, _ in
            let url = try #require(URL(string: "http://127.0.0.1:\(closed.number)/"))
            await #expect(throws: URLError.self) { try await session.data(from: url) }
        }
        #expect(sink.requests.map(\.size.total) == [0])
        #expect(sink.responses.isEmpty)
        #expect(sink.ends.first?.outcome.name == "failed")
    }

    @Test func aRequestThatGotNoAnswerHasNoKnownSize() async throws {
        try await withSession({ _ in .hold }) { session, origin, _ in
            var request = URLRequest(url: try #require(URL(string: origin.address)))
            request.timeoutInterval = 1
            let sent = request
            _ = await Task { try await session.data(for: sent) }.result
        }
        #expect(sink.ends.map(\.outcome) == [.timedOut])
        #expect(sink.requests.map(\.size.evidence) == [.unknown])
    }
}
