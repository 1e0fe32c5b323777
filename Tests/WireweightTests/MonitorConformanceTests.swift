#if os(Linux)
    import Foundation
    import FoundationNetworking
    import TestSupport
    import Testing
    import TrafficModel
    import Wireweight
    import WireweightTesting

    /// A monitor follows the rules for observers.
    ///
    /// There is no pipeline between the monitor and the storing sink, because the monitor redacts by itself.
    @Suite(.serialized, .oneAtATime, .timeLimit(.minutes(2)))
    struct MonitorConformanceTests {
        @Test(arguments: ObserverConformance.Rule.allCases)
        func theMonitorKeeps(rule: ObserverConformance.Rule) async {
            let conformance = ObserverConformance { try ConformingMonitor(reportingTo: $0) }
            #expect(await conformance.check([rule]) == [])
        }
    }

    /// A monitor whose live events go to a sink, and a session.
    private final class ConformingMonitor: ConformingObserver {
        private let file = TemporaryFile()
        private let monitor: TrafficMonitor
        private let pump: Task<Void, Never>
        private let session = URLSession(configuration: .ephemeral)

        init(reportingTo sink: any TrafficSink) throws {
            let monitor = try TrafficMonitor.start(.init(store: file.path))
            self.monitor = monitor
            let events = monitor.events()
            pump = Task { for await event in events { sink.record(event) } }
        }

        deinit { session.finishTasksAndInvalidate() }

        func send(_ call: ConformanceCall) async -> ConformanceResult { await call.send(in: session) }

        func flush() async { await monitor.flush() }

        func stop() async {
            monitor.stop()
            await pump.value
        }
    }
#endif
