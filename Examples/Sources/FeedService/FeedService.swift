import FeedClient
import Foundation
import Wireweight

/// Loads a feed repeatedly, and prints the bytes of each API when it gets a signal to end.
///
///     FeedService http://127.0.0.1:8080 [SECONDS]
@main
struct FeedService {
    static func main() async throws {
        guard CommandLine.arguments.count > 1, let address = URL(string: CommandLine.arguments[1]) else {
            log("usage: FeedService ADDRESS [SECONDS]")
            exit(64)
        }
        let pause = CommandLine.arguments.dropFirst(2).first.flatMap(Double.init) ?? 60
        let ending = TerminationSignals()

        // Start before the first request. Rows older than a week are removed to keep the file small; totals are kept.
        var configuration = TrafficMonitor.Configuration(store: "feed-traffic.db")
        configuration.retention = .init(seconds: 7 * 86_400, size: .megabytes(50))
        let monitor = try TrafficMonitor.start(configuration)

        let polling = Task { await poll(FeedClient(address: address), every: pause) }
        await ending.first()
        polling.cancel()
        await polling.value

        await monitor.flush()
        monitor.stop()
        try report(monitor)
    }

    private static func poll(_ feed: FeedClient, every seconds: Double) async {
        while !Task.isCancelled {
            do {
                log("articles: \(try await feed.loadFeed().count)")
            } catch {
                // The next attempt may succeed; the exchange is in the file either way.
                log("cannot load the feed: \(error)")
            }
            try? await Task.sleep(for: .seconds(seconds))
        }
    }

    /// Prints a line for each API; `wireweight report feed-traffic.db` shows more.
    private static func report(_ monitor: TrafficMonitor) throws {
        for api in try monitor.reading().totals(by: .api, in: .always) {
            let name = [api.key.method, api.key.host, api.key.template].compactMap(\.self).joined(separator: " ")
            log("\(name): requests \(api.requests), bytes up \(api.up.total), bytes down \(api.down.total)")
        }
    }

    private static func log(_ line: String) {
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
