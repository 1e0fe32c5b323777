import FeedClient
import Foundation
import Testing
import WireweightTesting

/// The client's budget of bytes: a change that exceeds it fails here, with the difference.
@Suite("What the feed weighs", .enabled(if: Metering.isPossible))
struct FeedBudgetTests {
    @Test("opening the feed is one small request")
    func open() async throws {
        let origin = try feedOrigin()
        defer { origin.stop() }
        let client = FeedClient(address: try #require(URL(string: origin.address)))

        let traffic = try await metering(hosts: [origin.authority]) { try await client.loadFeed() }

        #expect(traffic.result.count == 20)
        #expect(traffic.api("GET", "/feed").requests == 1)
        #expect(traffic.fits(.kilobytes(2)))
    }

    @Test("an article is loaded once, and without cookies")
    func article() async throws {
        let origin = try feedOrigin()
        defer { origin.stop() }
        let client = FeedClient(address: try #require(URL(string: origin.address)))

        let traffic = try await metering(hosts: [origin.authority]) { try await client.loadArticle(7) }

        #expect(traffic.result.title == "Article 7")
        #expect(traffic.requests == 1)
        #expect(traffic.api("GET", "/articles/{id}").total < .kilobytes(1))
        #expect(traffic.parts.up.cookies == .zero)
    }

    /// A local copy of the API, so that its responses are the same each time.
    private func feedOrigin() throws -> LoopbackOrigin {
        let origin = LoopbackOrigin { request in
            let articles = (1...20).map { "{\"id\":\($0),\"title\":\"Article \($0)\"}" }
            let body = request.path == "/feed" ? "[\(articles.joined(separator: ","))]" : articles[6]
            return .respond(fields: ["Content-Type: application/json"], body: .text(body))
        }
        try origin.start()
        return origin
    }
}
