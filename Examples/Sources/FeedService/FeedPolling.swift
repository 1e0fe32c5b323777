import FeedClient
import Logging
import ServiceLifecycle

/// The work of the service: loads the feed, and again after a pause, until the shutdown.
struct FeedPolling: Service {
    let feed: FeedClient
    let pause: Duration
    let logger: Logger

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                await load()
                try await Task.sleep(for: pause)
            }
        }
    }

    private func load() async {
        do {
            let articles = try await feed.loadFeed()
            logger.info("articles: \(articles.count)")
        } catch {
            // The next attempt may succeed; the exchange is in the file either way.
            logger.warning("cannot load the feed: \(error)")
        }
    }
}
