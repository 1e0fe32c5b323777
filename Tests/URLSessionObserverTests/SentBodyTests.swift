import Foundation
import Testing

@testable import URLSessionObserver

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Which content interception sends by itself, and which it leaves to the system's loader.
@Suite
struct SentBodyTests {
    private let content = Data("content".utf8)

    private func request(_ path: String = "/a", body: Data? = nil, hasStream: Bool = false) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://example.com\(path)")))
        request.httpMethod = "POST"
        request.httpBody = body
        if hasStream { request.httpBodyStream = InputStream(data: Data("streamed".utf8)) }
        return request
    }

    @Test("A request without content has none")
    func none() throws {
        #expect(SentBody(of: try request(), original: try request(), isUpload: false) == .none)
        #expect(SentBody(of: try request(), original: nil, isUpload: false) == .none)
    }

    @Test("Content that the program gave as data is sent as data, though Foundation shows a stream of it")
    func data() throws {
        let original = try request(body: content)
        #expect(SentBody(of: original, original: original, isUpload: false) == .data(content))
        #expect(SentBody(of: try request(hasStream: true), original: original, isUpload: false) == .data(content))
        #expect(SentBody(of: try request(), original: original, isUpload: false) == .data(content))
    }

    @Test("A stream of the program's is left alone")
    func stream() throws {
        let streamed = try request(hasStream: true)
        #expect(SentBody(of: streamed, original: streamed, isUpload: false) == .stream)
        #expect(SentBody(of: streamed, original: nil, isUpload: false) == .stream)
    }

    @Test("A stream after a redirect is left alone: it cannot be sent again, and may be other content than the first")
    func redirect() throws {
        let original = try request(body: content)
        let next = try request("/b", hasStream: true)
        #expect(SentBody(of: next, original: original, isUpload: false) == .stream)
        // After 303 there is no content.
        #expect(SentBody(of: try request("/b"), original: original, isUpload: false) == .none)
        #expect(SentBody(of: try request("/b", body: content), original: original, isUpload: false) == .data(content))
    }

    @Test("An upload task is left alone, also if its request has content, which Foundation does not send")
    func upload() throws {
        let original = try request(body: content)
        #expect(SentBody(of: original, original: original, isUpload: true) == .stream)
    }
}
