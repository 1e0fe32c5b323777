import Foundation
import Observing
import TestSupport
import Testing
import TrafficModel
import TrafficPipeline
import WireweightTesting

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Interception follows the rules for observers, for the tasks that it takes: data tasks without a delegate.
@Suite(.oneAtATime, .timeLimit(.minutes(2)))
struct URLProtocolConformanceTests {
    @Test(arguments: ObserverConformance.Rule.allCases)
    func interceptionKeeps(rule: ObserverConformance.Rule) async {
        let conformance = ObserverConformance(storage: { TrafficPipeline(to: $0) }) {
            try ConformingInterception(reportingTo: $0)
        }
        #expect(await conformance.check([rule]) == [])
    }
}

/// Interception, and a session of a configuration that it meters.
private final class ConformingInterception: ConformingObserver {
    private let observer: URLProtocolObserver
    private let session: URLSession

    init(reportingTo sink: any TrafficSink) throws {
        observer = try URLProtocolObserver.start(
            output: ObserverOutput(sink: sink),
            settings: .init(observesSharedSession: false))
        session = URLSession(configuration: URLSessionConfiguration.ephemeral.metered(by: observer))
    }

    deinit { session.finishTasksAndInvalidate() }

    func send(_ call: ConformanceCall) async -> ConformanceResult { await call.send(in: session) }

    func flush() async {
        await withCheckedContinuation { continuation in observer.flush { continuation.resume() } }
    }

    func stop() async { observer.stop() }
}
