import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads articles from an API.
public struct FeedClient: Sendable {
    /// An entry of the feed.
    public struct Article: Codable, Hashable, Identifiable, Sendable {
        /// The article's number in the API.
        public var id: Int
        /// The article's title.
        public var title: String

        /// Makes an article.
        public init(id: Int, title: String) {
            self.id = id
            self.title = title
        }
    }

    let address: URL
    let session: URLSession

    /// Makes a client of the API at an address.
    public init(address: URL, session: URLSession = .shared) {
        self.address = address
        self.session = session
    }

    /// Loads the list of the newest articles.
    public func loadFeed() async throws -> [Article] {
        try await load("feed")
    }

    /// Loads the article with a number.
    public func loadArticle(_ id: Int) async throws -> Article {
        try await load("articles/\(id)")
    }

    private func load<Value: Decodable>(_ path: String) async throws -> Value {
        let (data, response) = try await session.data(from: address.appendingPathComponent(path))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode(Value.self, from: data)
    }
}
