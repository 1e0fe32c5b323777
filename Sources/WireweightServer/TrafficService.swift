#if Server
    public import CoreMetrics
    internal import Dispatch
    public import Logging
    public import ServiceLifecycle
    internal import TrafficModel
    public import Wireweight

    /// A monitor as a service of a server: it logs to a `Logger`, passes sums on to the metrics system, and loses
    /// nothing when the server shuts down.
    ///
    /// ```swift
    /// import Logging
    /// import ServiceLifecycle
    /// import WireweightServer
    ///
    /// let logger = Logger(label: "feed")
    /// let traffic = try TrafficService(logger: logger)
    /// let group = ServiceGroup(services: [traffic], gracefulShutdownSignals: [.sigterm], logger: logger)
    /// try await group.run()
    /// ```
    ///
    /// Metering starts with the initializer: make the service before the first request. Name it first in the group;
    /// services shut down in the opposite order, so the requests with which the others end are metered, too.
    public struct TrafficService: Service {
        /// The settings of a service that are not those of its monitor.
        public struct Settings: Sendable, Hashable {
            /// The most APIs that have metrics of their own; all others have the labels `other`.
            ///
            /// An API has up to 17 counters and a timer.
            public var mostLabelledAPIs = 100
            /// How often metrics and log take what is new.
            public var interval = Duration.seconds(5)
            /// Whether to prove at the start what this process can meter, and log what it cannot.
            ///
            /// The test makes requests to a server on this machine, which takes about a second: see
            /// `TrafficMonitor.selfTest()`.
            public var selfTests = false

            /// The default settings.
            public init() {}
        }

        /// The monitor, for what a service does not do, such as `startInspector()`.
        public let monitor: TrafficMonitor
        private let settings: Settings
        private let logger: Logger
        private let factory: any MetricsFactory
        private let tally: APITally

        /// Starts metering this process.
        ///
        /// - Parameters:
        ///   - configuration: the configuration of the monitor.
        ///   - settings: the settings of the service.
        ///   - logger: takes what the monitor has to say.
        ///   - factory: makes the metrics; by default those of the metrics system that the program has chosen before.
        /// - Throws: `MonitorError`; the process is left as it was before.
        public init(
            _ configuration: TrafficMonitor.Configuration = .init(), settings: Settings = .init(), logger: Logger,
            factory: any MetricsFactory = MetricsSystem.factory
        ) throws(MonitorError) {
            let tally = APITally(templatesPerHost: configuration.templatesPerHost)
            monitor = try TrafficMonitor.start(configuration, copy: tally) { logger.notice("\($0)") }
            self.settings = settings
            self.logger = logger
            self.factory = factory
            self.tally = tally
        }

        /// Waits for the shutdown, or for the task to be cancelled; then stops metering and writes what was metered.
        public func run() async throws {
            logger.info("metering starts", metadata: ["store": "\(monitor.configuration.store)"])
            if settings.selfTests { await logSelfTest() }
            var report = ServiceReport(
                logger: logger, metrics: APIMetrics(factory, mostAPIs: settings.mostLabelledAPIs))
            let interval = settings.interval
            while (try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }) != nil {
                report.update(from: monitor, tally)
            }
            await stop()
            report.update(from: monitor, tally, isLast: true)
        }

        private func stop() async {
            await monitor.flush()
            let monitor = monitor
            await withCheckedContinuation { continuation in
                // It waits for the disk, which must not block a thread that other tasks share.
                DispatchQueue.global().async {
                    monitor.stop()
                    continuation.resume()
                }
            }
        }

        private func logSelfTest() async {
            let test = await TrafficMonitor.selfTest()
            for check in test.checks where check.verdict.isFailure {
                logger.warning("the self-test failed: \(check)", metadata: ["style": "\(check.style.rawValue)"])
            }
            if test.isPassed { logger.info("the self-test passed: every way to make requests is metered exactly") }
        }
    }
#endif
