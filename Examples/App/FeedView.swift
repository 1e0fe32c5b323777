import AppTraffic
import FeedClient
import SwiftUI

/// Shows the articles, and links to the bytes that they cost.
struct FeedView: View {
    let feed: FeedClient
    let traffic: AppTraffic
    @State private var articles: [FeedClient.Article] = []

    var body: some View {
        List {
            ForEach(articles) { article in
                Text(article.title)
            }
            NavigationLink("Traffic") {
                TrafficView(traffic: traffic)
            }
        }
        .navigationTitle("Articles")
        .task {
            articles = (try? await feed.loadFeed()) ?? []
        }
    }
}
