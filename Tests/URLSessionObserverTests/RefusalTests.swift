import Foundation
import Locks
import Observing
import TestSupport
import Testing
import TrafficModel
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct RefusalMessageTests {
    @Test("a refusal says what is wrong and what to do next", arguments: URLProtocolObserver.Refusal.allCases)
    func next(refusal: URLProtocolObserver.Refusal) {
        #expect(saysWhatToDo(refusal.message), "\(refusal.message)")
    }
}

/// What is left alone, and with whom else the observer gets along.
@Suite(.oneAtATime, .timeLimit(.minutes(1)))
struct RefusalTests {
    private let sink = RecordingSink()

    private func observer(
        headers: [String: String] = [:], ownership: ExchangeOwnership = ExchangeOwnership(),
        keepsOtherClasses: Bool = true
    ) throws -> URLProtocolObserver {
        try URLProtocolObserver.start(
            output: ObserverOutput(sink: sink), ownership: ownership,
            settings: .init(
                headers: headers, observesSharedSession: false, keepsOtherClasses: keepsOtherClasses))
    }

    private func origin(_ handler: @escaping @Sendable (OriginRequest) -> Script) throws -> LoopbackOrigin {
        let origin = LoopbackOrigin(handler: handler)
        try origin.start()
        return origin
    }

    #if !canImport(Darwin)
        @Test func aDownloadRunsUntouchedAndTheReasonIsTold() async throws {
            let origin = try origin { _ in .respond(body: .fill(100_000)) }
            defer { origin.stop() }
            let observer = try observer()
            defer { observer.stop() }
            let session = URLSession(configuration: URLSessionConfiguration.ephemeral.metered(by: observer))
            let url = try #require(URL(string: origin.address))
            let count = await withCheckedContinuation { continuation in
                session.downloadTask(with: url) { location, _, _ in
                    let data = location.flatMap { try? Data(contentsOf: $0) }
                    continuation.resume(returning: data?.count)
                }.resume()
            }
            #expect(count == 100_000)
            #expect(observer.refused == [.download: 1])
            #expect(sink.untapped == 1)
            #expect(sink.requests.isEmpty)
        }

        @Test func anUploadSendsItsWholeBodyAndTheReasonIsTold() async throws {
            let origin = try origin { _ in .respond(body: .text("thanks")) }
            defer { origin.stop() }
            let observer = try observer()
            defer { observer.stop() }
            let session = URLSession(configuration: URLSessionConfiguration.ephemeral.metered(by: observer))
            var request = URLRequest(url: try #require(URL(string: origin.address)))
            request.httpMethod = "POST"
            let (body, _) = try await session.upload(for: request, from: Data(Script.pattern(count: 70_000)))
            #expect(String(decoding: body, as: UTF8.self) == "thanks")
            _ = origin.waitUntilIdle()
            #expect(origin.exchanges.map(\.request.body) == [70_000])
            #expect(observer.refused == [.upload: 1])
            #expect(sink.untapped == 1)
        }

        @Test func aRedirectThatADelegateFollowsIsCountedAsUnseen() async throws {
            let origin = try origin { request in
                request.path == "/a"
                    ? .respond("302 Found", fields: ["Location: /b"], body: .text("")) : .respond(body: .text("b"))
            }
            defer { origin.stop() }
            let observer = try observer()
            defer { observer.stop() }
            let differential = DifferentialCase(name: "", target: "/a") { _ in .hold }
            let seen = await differential.perform(
                in: URLSessionConfiguration.ephemeral.metered(by: observer), style: .delegate, origin: origin)
            #expect(seen.callbacks == ["redirect 302", "response 200", "data", "complete"])
            #expect(await eventually { sink.untapped == 1 })
            #expect(sink.requests.map(\.path) == ["/b"])
        }

        @Test func aRetryAfterAChallengeIsCountedAsUnseen() async throws {
            let origin = try origin { request in
                request.value(of: "Authorization") == nil
                    ? .respond("401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"x\""], body: .text("who?"))
                    : .respond(body: .text("welcome"))
            }
            defer { origin.stop() }
            let observer = try observer()
            defer { observer.stop() }
            let differential = DifferentialCase(name: "", hasCredential: true) { _ in .hold }
            let seen = await differential.perform(
                in: URLSessionConfiguration.ephemeral.metered(by: observer), style: .delegate, origin: origin)
            #expect(seen.status == 200)
            #expect(sink.requests.count == 1)
            #expect(sink.responses.map(\.status) == [401])
            #expect(await eventually { sink.untapped == 1 })
        }

        @Test func sessionsThatOthersMakeAreOutOfReach() {
            #expect(throws: URLProtocolObserver.Refusal.noHooks) {
                try URLProtocolObserver.start(
                    output: ObserverOutput(sink: sink),
                    settings: .init(observesSharedSession: false, observesAllSessions: true))
            }
        }
    #endif

    @Test func headersAreAddedWhereARequestDoesNotSetThem() async throws {
        let origin = try origin { request in
            .respond(body: .text("\(request.value(of: "X-Added") ?? "-") \(request.value(of: "X-Own") ?? "-")"))
        }
        defer { origin.stop() }
        let observer = try observer(headers: ["X-Added": "a", "X-Own": "theirs"])
        defer { observer.stop() }
        let session = URLSession(configuration: URLSessionConfiguration.ephemeral.metered(by: observer))
        var request = URLRequest(url: try #require(URL(string: origin.address)))
        request.setValue("mine", forHTTPHeaderField: "X-Own")
        let (body, _) = try await session.data(for: request)
        #expect(String(decoding: body, as: UTF8.self) == "a mine")
        #expect(sink.requests.first?.fields.firstValue(of: "X-Added") == "a")
    }

    @Test func anOutrankedObserverTellsNothingAndLeavesTheTaskAlone() async throws {
        let ownership = ExchangeOwnership()
        ownership.enter(.libcurl)
        let origin = try origin { _ in .respond(body: .text("ok")) }
        defer { origin.stop() }
        let observer = try observer(ownership: ownership)
        defer { observer.stop() }
        let session = URLSession(configuration: URLSessionConfiguration.ephemeral.metered(by: observer))
        let url = try #require(URL(string: origin.address))
        _ = try await session.data(from: url)
        #expect(sink.events.isEmpty)
        ownership.leave(.libcurl)
        _ = try await session.data(from: url)
        #expect(sink.requests.count == 1)
    }

    @Test func anOutrankedObserverStillAddsHeaders() async throws {
        let ownership = ExchangeOwnership()
        ownership.enter(.libcurl)
        let origin = try origin { .respond(body: .text($0.value(of: "X-Added") ?? "-")) }
        defer { origin.stop() }
        let observer = try observer(headers: ["X-Added": "a"], ownership: ownership)
        defer { observer.stop() }
        let session = URLSession(configuration: URLSessionConfiguration.ephemeral.metered(by: observer))
        let (body, _) = try await session.data(from: try #require(URL(string: origin.address)))
        #expect(String(decoding: body, as: UTF8.self) == "a")
        #expect(sink.events.isEmpty)
    }

    @Test("A task whose headers we add is reported by us, although the metrics of it have been claimed")
    func headersForAClaimedTask() async throws {
        let ownership = ExchangeOwnership()
        let origin = try origin { .respond(body: .text($0.value(of: "X-Added") ?? "-")) }
        defer { origin.stop() }
        let observer = try observer(headers: ["X-Added": "a"], ownership: ownership)
        defer { observer.stop() }
        let session = URLSession(configuration: URLSessionConfiguration.ephemeral.metered(by: observer))
        defer { session.finishTasksAndInvalidate() }
        let url = try #require(URL(string: origin.address))
        let body = Mutex<Data?>(nil)
        let task = session.dataTask(with: url) { data, _, _ in body.withLock { $0 = data } }
        #expect(ownership.claim(task, as: .taskMetrics))
        task.resume()
        #expect(await eventually { body.withLock { $0 } != nil })
        #expect(body.withLock { $0 } == Data("a".utf8))
        #expect(await eventually { sink.responses.count == 1 })
        #expect(sink.requests.count == 1)
        // The metrics that come at its end are not reported, too.
        #expect(!ownership.takeReport(of: task, as: .taskMetrics))
    }

    @Test func theApplicationsOwnProtocolClassesGoFirst() async throws {
        let observer = try observer()
        defer { observer.stop() }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CannedProtocol.self] + (configuration.protocolClasses ?? [])
        let metered = configuration.metered(by: observer)
        #expect(metered.protocolClasses?.contains { $0 == CannedProtocol.self } == true)
        #expect(configuration.protocolClasses?.count == (metered.protocolClasses?.count ?? 0) - 1)
        let url = try #require(URL(string: "http://canned.invalid/canned"))
        let (body, _) = try await URLSession(configuration: metered).data(from: url)
        #expect(String(decoding: body, as: UTF8.self) == "canned")
        // What an application cans goes over no wire.
        #expect(sink.events.isEmpty)
    }

    @Test func theyCanBeShutOut() async throws {
        let origin = try origin { _ in .respond(body: .text("from the origin")) }
        defer { origin.stop() }
        let observer = try observer(keepsOtherClasses: false)
        defer { observer.stop() }
        let configuration = URLSessionConfiguration.ephemeral
        let system = configuration.protocolClasses ?? []
        configuration.protocolClasses = [CannedProtocol.self] + system
        let metered = configuration.metered(by: observer)
        let left = metered.protocolClasses?.dropFirst().map { ObjectIdentifier($0) }
        #expect(left == system.map { ObjectIdentifier($0) })
        // The configuration of a session that others make is taken at its first request.
        let followed = MeteredConfiguration(observer: observer, following: configuration)
        let url = try #require(URL(string: origin.address + "/canned"))
        #expect(!followed.leaves(URLRequest(url: url)))
        let (body, _) = try await URLSession(configuration: metered).data(from: url)
        #expect(String(decoding: body, as: UTF8.self) == "from the origin")
        #expect(sink.requests.count == 1)
        // The application's own configuration is as it was.
        #expect(configuration.protocolClasses?.count == system.count + 1)
    }

    @Test func otherSchemesAreLeftAlone() throws {
        let observer = try observer()
        defer { observer.stop() }
        let metered = URLSessionConfiguration.ephemeral.metered(by: observer)
        let type = try #require(metered.protocolClasses?.first as? MeteringURLProtocol.Type)
        let urls = ["http://a/", "HTTPS://a/", "ftp://a/", "ws://a/", "file:///a", "data:,a", "about:blank"]
        let taken = urls.filter { URL(string: $0).map { type.canInit(with: URLRequest(url: $0)) } ?? false }
        #expect(taken == ["http://a/", "HTTPS://a/"])
    }

    @Test func meteringAConfigurationTwicePutsOneClassIn() throws {
        let observer = try observer()
        defer { observer.stop() }
        let once = URLSessionConfiguration.ephemeral.metered(by: observer)
        let twice = once.metered(by: observer)
        #expect(twice.protocolClasses?.count == once.protocolClasses?.count)
        let names = [once, twice].map { $0.protocolClasses?.first.map { ObjectIdentifier($0) } }
        #expect(names[0] != names[1])
    }

    @Test func thousandsOfConfigurationsHaveAClassEach() throws {
        let observer = try observer()
        defer { observer.stop() }
        let classes = (0..<2_000).compactMap { _ in
            URLSessionConfiguration.ephemeral.metered(by: observer).protocolClasses?.first
        }
        #expect(Set(classes.map { ObjectIdentifier($0) }).count == 2_000)
    }

    @Test func oneObserverAtATimeHasTheSharedSession() throws {
        let first = try URLProtocolObserver.start(output: ObserverOutput(sink: sink))
        #expect(throws: URLProtocolObserver.Refusal.alreadyStarted) {
            try URLProtocolObserver.start(output: ObserverOutput(sink: sink))
        }
        first.stop()
        first.stop()
        let second = try URLProtocolObserver.start(output: ObserverOutput(sink: sink))
        second.stop()
    }
}

/// An application's class that answers by itself.
private final class CannedProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { request.url?.path == "/canned" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("canned".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}
