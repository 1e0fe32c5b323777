#if os(Linux)
    import Foundation
    import InMemoryLogging
    import Logging
    import MetricsTestKit
    import ServiceLifecycle
    import Wireweight
    import WireweightServer
    import WireweightTesting

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A group with the traffic's service, an origin on this machine, and what the service has logged and counted.
    final class MeteredGroup {
        let origin = LoopbackOrigin { _ in .respond(body: .text("hello")) }
        let metrics = TestMetrics()
        let log = InMemoryLogHandler()
        let folder = FileManager.default.temporaryDirectory.appending(path: "wireweight-server-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try origin.start()
        }

        deinit {
            origin.stop()
            try? FileManager.default.removeItem(at: folder)
        }

        var logger: Logger { Logger(label: "test") { [log] _ in log } }

        func service(_ change: (inout TrafficService.Settings) -> Void = { _ in }) throws -> TrafficService {
            var settings = TrafficService.Settings()
            change(&settings)
            return try TrafficService(
                .init(store: folder.appending(path: "traffic.db").path), settings: settings, logger: logger,
                factory: metrics)
        }

        /// Runs the service and the others until one of them returns, and then shuts down in order.
        func run(_ traffic: TrafficService, _ others: any Service...) async throws {
            let configurations = others.map {
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
            }
            let group = ServiceGroup(
                configuration: .init(services: [.init(service: traffic)] + configurations, logger: logger))
            try await group.run()
        }

        func get(_ path: String) async throws { try await Self.get(origin.address + path) }

        static func get(_ address: String) async throws {
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            guard let url = URL(string: address) else { throw URLError(.badURL) }
            _ = try await session.data(from: url)
        }

        /// The sums in the service's file, the heaviest API first.
        func stored(by traffic: TrafficService) throws -> [TrafficTotal] {
            try traffic.monitor.reading().totals(by: .api, in: .always)
        }
    }

    /// A service that is a piece of code.
    struct Work: Service {
        let work: @Sendable () async throws -> Void

        init(_ work: @escaping @Sendable () async throws -> Void) { self.work = work }

        func run() async throws { try await work() }
    }
#endif
