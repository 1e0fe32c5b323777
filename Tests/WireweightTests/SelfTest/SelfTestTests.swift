import Foundation
import Locks
import TestSupport
import Testing
import TrafficModel
import TrafficStore
import WireweightTesting

@testable import Diagnosis
@testable import Wireweight

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A process proves what it can meter, whatever else goes on in it.
@Suite("The self-test", .serialized, .oneAtATime)
struct SelfTestTests {
    private let file = TemporaryFile()

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    private func expectExact(_ test: SelfTest, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(test.isPassed, sourceLocation: sourceLocation)
        #expect(test.checks.map(\.style) == SelfTest.Style.ofURLSession, sourceLocation: sourceLocation)
        for check in test.checks {
            #expect(check.verdict == .exact, "\(check)", sourceLocation: sourceLocation)
            #expect(check.expected != nil && check.metered == check.expected, sourceLocation: sourceLocation)
            #expect((check.expected?.down.bytes ?? 0) > 2_600, sourceLocation: sourceLocation)
        }
    }

    private func get(_ url: String) async throws {
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        _ = try await session.data(from: try #require(URL(string: url)))
    }

    @Test("without a monitor: every style is exact, and the process is as before")
    func alone() async throws {
        let test = await TrafficMonitor.selfTest()
        expectExact(test)
        #expect(test.libraries.contains { $0.name.hasPrefix("libcurl") && $0.isKnown })
        #expect(test.capabilities.contains { $0.subject == "HTTP/1" && $0.level == .exact })
        #expect(test.description.contains("data task: exact, "))
        // The hooks are free again.
        try TrafficMonitor.start(.init(store: file.path)).stop()
        expectExact(await TrafficMonitor.selfTest())
    }

    @Test("beside a monitor: the monitor is tested, and its file has only the program's own traffic")
    func besideMonitor() async throws {
        let origin = LoopbackOrigin { _ in .respond(body: .text("hello")) }
        try origin.start()
        defer { origin.stop() }
        var configuration = TrafficMonitor.Configuration(store: file.path)
        // Not even a filter that leaves this machine out is in the way.
        configuration.hosts.exclude = ["127.0.0.1:1"]
        let monitor = try TrafficMonitor.start(configuration)
        defer { monitor.stop() }
        let events = monitor.events()
        try await get("\(origin.address)/before")
        async let during: Void = get("\(origin.address)/during")
        expectExact(await TrafficMonitor.selfTest())
        try await during
        expectExact(await TrafficMonitor.selfTest())
        try await get("\(origin.address)/after")
        await monitor.flush()
        monitor.stop()
        var paths: [String] = []
        try StoreReader.open(file.path).forEachExchange(matching: .init(), order: .oldestFirst, after: nil) {
            paths.append($0.request.path)
            return true
        }
        #expect(paths.sorted() == ["/after", "/before", "/during"])
        let totals = try StoreReader.open(file.path).totals(by: .host, in: .always)
        #expect(totals.map(\.requests) == [3])
        let connections = try StoreReader.open(file.path).connections()
        #expect(!connections.isEmpty)
        #expect(connections.allSatisfy { $0.remoteAddress == origin.authority })
        #expect(monitor.droppedEvents == 0)
        for await event in events {
            switch event {
            case .request(let request): #expect(request.port == Int(origin.port))
            case .connection(let connection): #expect(connection.remoteAddress == origin.authority)
            case .response, .end, .loss, .device, .lookup, .carrier: break
            }
        }
    }

    @Test("beside a monitor without a tap: it is found out what a tap would see, and the monitor goes on")
    func besideInterception() async throws {
        var configuration = TrafficMonitor.Configuration(store: file.path)
        configuration.observers = [.urlProtocol]
        let monitor = try TrafficMonitor.start(configuration)
        defer { monitor.stop() }
        expectExact(await TrafficMonitor.selfTest())
        await monitor.flush()
        #expect(try monitor.reading().totals(by: .host, in: .always).isEmpty)
    }

    @Test("two at a time are one")
    func together() async {
        let begun = Counter()
        async let first = TrafficMonitor.selfTest { _ in begun.add() }
        async let second = TrafficMonitor.selfTest { _ in begun.add() }
        let tests = await [first, second]
        #expect(tests[0] == tests[1])
        expectExact(tests[0])
        #expect(begun.value == SelfTest.Style.ofURLSession.count)
    }

    @Test("a monitor cannot be started meanwhile, and the error says why")
    func startMeanwhile() async throws {
        let path = file.path
        let errors = Mutex<[MonitorError]>([])
        let test = await TrafficMonitor.selfTest { style in
            guard style == .delegate else { return }
            do throws(MonitorError) { try TrafficMonitor.start(.init(store: path)).stop() } catch {
                errors.withLock { $0.append(error) }
            }
        }
        expectExact(test)
        let error = errors.withLock { $0.first }
        #expect(error?.code == .alreadyStarted)
        #expect(error?.message == "a self-test meters this process; start the monitor once it has ended")
        try TrafficMonitor.start(.init(store: path)).stop()
    }

    @Test("a monitor that is stopped meanwhile leaves the question open")
    func stopMeanwhile() async throws {
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        let test = await TrafficMonitor.selfTest { if $0 == .download { monitor.stop() } }
        #expect(
            test.checks.allSatisfy {
                $0.verdict == .cannotRun(reason: "the monitor was stopped meanwhile; test again")
            })
        #expect(test.isPassed)
        expectExact(await TrafficMonitor.selfTest())
    }

    @Test("if another meter is active in the process, it says so, and disturbs nothing")
    func besideAnother() async throws {
        let origin = LoopbackOrigin { _ in .respond(body: .text("hello")) }
        try origin.start()
        defer { origin.stop() }
        let address = origin.address
        let traffic = try await metering(hosts: [origin.authority]) {
            try await get("\(address)/a")
            let test = await TrafficMonitor.selfTest()
            #expect(
                test.checks.allSatisfy {
                    !$0.verdict.hasRun && $0.verdict.reason?.contains("something else meters") == true
                })
            try await get("\(address)/b")
        }
        #expect(traffic.requests == 2)
    }
}

/// What the canaries' bytes are taken for.
@Suite("A canary's verdict", .serialized, .oneAtATime)
struct CanaryVerdictTests {
    /// Changes what an observer reports.
    private struct Distorting: TrafficSink {
        let log: CanaryLog
        let change: @Sendable (TrafficEvent) -> TrafficEvent?
        func record(_ event: TrafficEvent) { change(event).map(log.record) }
    }

    private func check(
        metering isMetered: Bool = true, failure: String? = nil,
        _ change: @escaping @Sendable (TrafficEvent) -> TrafficEvent? = { $0 }
    ) async throws -> SelfTest.Check {
        let origin = try CanaryOrigin()
        defer { origin.stop() }
        let log = CanaryLog(port: origin.port)
        let gate = CanaryGate(to: Distorting(log: log, change: change))
        let observers = isMetered ? try Observers(.init(store: "unused"), sink: gate) : nil
        #expect(await Canary.send(.asyncData, to: origin.address) == nil)
        origin.settle()
        for _ in 0..<200 {
            await observers?.flush()
            guard log.isRunning else { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        observers?.stop()
        return SelfTest.Check(.asyncData, origin: origin, log: log, failure: failure)
    }

    @Test("is exact where the bytes are the origin's")
    func exact() async throws {
        let check = try await check()
        #expect(check.verdict == .exact)
        #expect(check.difference?.up == 0 && check.difference?.down == 0)
    }

    @Test("is 'not metered', and a failure, where a request passes unseen")
    func unmetered() async throws {
        let check = try await check(metering: false)
        #expect(check.verdict == .notMetered(reason: "the requests were made, and the tap did not see them"))
        #expect(check.expected != nil && check.metered == nil)
        #expect(!SelfTest(checks: [check], libraries: [], capabilities: []).isPassed)
    }

    @Test("is 'off' by as many bytes as differ, and a failure")
    func off() async throws {
        let check = try await check { event in
            guard case .request(var request) = event else { return event }
            request.size.fields = .captured(request.size.fields.bytes.bytes + 3)
            return .request(request)
        }
        #expect(check.verdict == .off(reason: "3 bytes too many up"))
        #expect(check.difference?.up == 3)
        #expect(!SelfTest(checks: [check], libraries: [], capabilities: []).isPassed)
        let missing = try await self.check { event in
            if case .response = event { nil } else { event }
        }
        #expect(missing.verdict == .off(reason: "\(missing.expected?.down.bytes ?? -1) bytes too few down"))
    }

    @Test("is 'off' where a right sum is only computed")
    func reconstructed() async throws {
        let check = try await check { event in
            guard case .request(var request) = event else { return event }
            request.size.fields.evidence = .reconstructed
            return .request(request)
        }
        #expect(check.verdict == .off(reason: "the sum is right, but a part of it is only 'reconstructed'"))
    }

    @Test("says nothing about the meter where no request came")
    func neverSent() async throws {
        let origin = try CanaryOrigin()
        defer { origin.stop() }
        let check = SelfTest.Check(.delegate, origin: origin, log: CanaryLog(port: origin.port), failure: "no route")
        #expect(check.verdict == .cannotRun(reason: "no route"))
        #expect(check.description == "delegate: cannot be tried here: no route")
    }
}
