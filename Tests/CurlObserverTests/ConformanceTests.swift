#if os(Linux)
    import CurlObserver
    import Foundation
    import FoundationNetworking
    import TestSupport
    import Testing
    import TrafficModel
    import TrafficPipeline
    import WireweightTesting

    /// The tap keeps to what every observer must deliver, with a real URLSession.
    @Suite(.serialized, .oneAtATime, .timeLimit(.minutes(2)))
    struct ConformanceTests {
        @Test(arguments: ObserverConformance.Rule.allCases)
        func theTapKeeps(rule: ObserverConformance.Rule) async {
            let conformance = ObserverConformance(storage: { TrafficPipeline(to: $0) }) {
                try ConformingTap(telling: $0)
            }
            #expect(await conformance.check([rule]) == [])
        }
    }

    /// The tap, and a session: it sees all that there are.
    private final class ConformingTap: ConformingObserver {
        private let observer: CurlObserver
        private let session = URLSession(configuration: .ephemeral)

        init(telling sink: any TrafficSink) throws {
            observer = try CurlObserver(sink: sink)
        }

        deinit { session.finishTasksAndInvalidate() }

        func send(_ call: ConformanceCall) async -> ConformanceAnswer { await call.send(in: session) }

        func flush() async {
            await withCheckedContinuation { continuation in observer.flush { continuation.resume() } }
        }

        func stop() async { observer.stop() }
    }
#endif
