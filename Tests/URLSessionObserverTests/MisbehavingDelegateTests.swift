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

/// Delegates that answer twice, late or after a cancel get what they get without us, and leave rows that end.
@Suite(.oneAtATime, .timeLimit(.minutes(3)))
struct MisbehavingDelegateTests {
    private let sink = RecordingSink()

    @Test(arguments: MisbehavingDelegate.Kind.allCases)
    func aDelegateThatMisbehavesIsCalledAsWithoutInterception(kind: MisbehavingDelegate.Kind) async throws {
        let plain = try await run(kind)
        let observer = try URLProtocolObserver.start(
            output: ObserverOutput(sink: sink), settings: .init(observesSharedSession: false))
        defer { observer.stop() }
        #expect(try await run(kind, configuration: URLSessionConfiguration.ephemeral.metered(by: observer)) == plain)
        #expect(plain.last == "complete \(kind.endsByCancel ? -999 : 0)")
        #expect(!sink.requests.isEmpty)
        #expect(sink.ends.map(\.exchange) == sink.requests.map(\.exchange))
        // A challenge is answered out of our sight: what is seen ends with 401.
        let isCancelled = kind.endsByCancel && kind.target != "/challenge"
        #expect(sink.ends.last?.outcome == (isCancelled ? .cancelled : .completed))
    }

    @Test(arguments: MisbehavingDelegate.Kind.allCases)
    func aDelegateThatMisbehavesIsCalledAsWithoutMetrics(kind: MisbehavingDelegate.Kind) async throws {
        let plain = try await run(kind)
        let observer = MetricsObserver(output: ObserverOutput(sink: sink))
        #expect(try await run(kind, wrapping: { MetricsDelegate(wrapping: $0, observer: observer) }) == plain)
    }

    private func run(
        _ kind: MisbehavingDelegate.Kind, configuration: URLSessionConfiguration = .ephemeral,
        wrapping: (MisbehavingDelegate) -> any URLSessionDelegate = { $0 }
    ) async throws -> [String] {
        let origin = LoopbackOrigin { request in
            switch request.path {
            case "/redirect": .respond("302 Found", fields: ["Location: /body"], body: .sized([]))
            case "/challenge" where request.value(of: "Authorization") == nil:
                .respond("401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=\"x\""], body: .text("who?"))
            case "/held": .respond(body: .lengthOnly(1_000_000)) + Script([.fill(count: 20_000)]) + .hold
            default: .respond(body: .text("hello"))
            }
        }
        try origin.start()
        defer { origin.stop() }
        let delegate = MisbehavingDelegate(kind)
        let session = URLSession(configuration: configuration, delegate: wrapping(delegate), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let url = try #require(URL(string: origin.address + kind.target))
        return await delegate.perform(session.dataTask(with: url))
    }
}
