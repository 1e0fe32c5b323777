import FeedClient
import Foundation
import Logging
import ServiceLifecycle
import Wireweight
import WireweightServer

/// Loads a feed repeatedly, and prints the bytes of each API when it gets a signal to end.
///
///     FeedService http://127.0.0.1:8080 [SECONDS]
@main
struct FeedService {
    static func main() async throws {
        guard CommandLine.arguments.count > 1, let address = URL(string: CommandLine.arguments[1]) else {
            say("usage: FeedService ADDRESS [SECONDS]")
            exit(64)
        }
        let pause = CommandLine.arguments.dropFirst(2).first.flatMap(Double.init) ?? 60
        let logger = Logger(label: "feed")

        // Start before the first request. Rows older than a week are removed to keep the file small; totals are kept.
        var configuration = TrafficMonitor.Configuration(store: "feed-traffic.db")
        configuration.retention = .init(seconds: 7 * 86_400, size: .megabytes(50))
        let traffic = try TrafficService(configuration, logger: logger)

        // The last of the services is the first to shut down, so the traffic of the others is metered to the end.
        let polling = FeedPolling(feed: FeedClient(address: address), pause: .seconds(pause), logger: logger)
        let group = ServiceGroup(
            services: [traffic, polling], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        try await group.run()
        try report(traffic.monitor)
    }

    /// Prints a line for each API; `wireweight report feed-traffic.db` shows more.
    private static func report(_ monitor: TrafficMonitor) throws {
        for api in try monitor.reading().totals(by: .api, in: .always) {
            let name = [api.key.method, api.key.host, api.key.template].compactMap(\.self).joined(separator: " ")
            say("\(name): requests \(api.requests), bytes up \(api.up.total), bytes down \(api.down.total)")
        }
    }

    private static func say(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
