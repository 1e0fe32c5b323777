import AppTraffic
import FeedClient
import SwiftUI

@main
struct ReaderApp: App {
    @Environment(\.scenePhase) private var phase
    private let traffic: AppTraffic
    private let feed: FeedClient

    init() {
        // Start the meter first, because sessions made before it are not metered.
        traffic = AppTraffic(hosts: ["api.example.com"])
        feed = FeedClient(address: URL(string: "https://api.example.com")!, session: traffic.session())
    }

    var body: some Scene {
        WindowGroup {
            NavigationStack {
                FeedView(feed: feed, traffic: traffic)
            }
        }
        .onChange(of: phase) { _, phase in
            guard phase == .background else { return }
            Task { await traffic.flush() }
        }
    }
}
