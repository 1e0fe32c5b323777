#if os(Linux)
    import CurlObserver
    import Foundation
    import FoundationNetworking
    import TestSupport
    import Testing
    import TrafficModel
    import TrafficPipeline
    import WireweightTesting

    /// The tap follows the rules for observers, with a real URLSession.
    @Suite(.serialized, .oneAtATime, .timeLimit(.minutes(2)))
    struct ConformanceTests {
        @Test(arguments: ObserverConformance.Rule.allCases)
        func theTapKeeps(rule: ObserverConformance.Rule) async {
            let conformance = ObserverConformance(storage: { TrafficPipeline(to: $0) }) {
                try ConformingTap(reportingTo: $0)
            }
            #expect(await conformance.check([rule]) == [])
        }
    }

    /// The tap and a session; the tap sees every session of the process.
    private final class ConformingTap: ConformingObserver {
        private let observer: CurlObserver
        private let session = URLSession(configuration: .ephemeral)

        init(reportingTo sink: any TrafficSink) throws {
            observer = try CurlObserver(sink: sink)
        }

        deinit { session.finishTasksAndInvalidate() }

        func send(_ call: ConformanceCall) async -> ConformanceResult { await call.send(in: session) }

        func flush() async {
            await withCheckedContinuation { continuation in observer.flush { continuation.resume() } }
        }

        func stop() async { observer.stop() }
    }
#endif
