import FeedClient
import Foundation

/// Prints the newest articles.
///
/// What testers get meters what that costs; what everybody gets has no code that could.
///
///     Reader http://127.0.0.1:8080
@main
struct Reader {
    static func main() async throws {
        guard CommandLine.arguments.count > 1, let address = URL(string: CommandLine.arguments[1]) else {
            print("usage: Reader ADDRESS")
            exit(64)
        }
        #if Metered
            let traffic = Traffic()
        #endif
        for article in try await FeedClient(address: address).loadFeed() { print("\(article.id) \(article.title)") }
        #if Metered
            try await traffic.report()
        #endif
    }
}
