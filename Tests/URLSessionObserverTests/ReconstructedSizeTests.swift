import WireweightTesting

#if !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import TestSupport
    import Testing
    import TrafficModel
    import WireweightTesting

    @testable import URLSessionObserver

    /// The reported sizes beside those that the origin logged.
    @Suite(.oneAtATime, .timeLimit(.minutes(1)))
    struct ReconstructedSizeTests {
        struct Message: Sendable {
            var name: String
            var request: @Sendable (inout URLRequest) -> Void = { _ in }
            var script: Script
        }

        static let messages = [
            Message(name: "GET", script: .respond(fields: ["Content-Type: text/plain"], body: .text("hello"))),
            Message(
                name: "POST",
                request: {
                    $0.httpMethod = "POST"
                    $0.httpBody = Data(repeating: 7, count: 12_345)
                    $0.setValue("application/json", forHTTPHeaderField: "Content-Type")
                }, script: .respond("201 Created", body: .text(""))),
            Message(
                name: "own fields and an untyped body",
                request: {
                    $0.httpMethod = "POST"
                    $0.httpBody = Data("a=b".utf8)
                    $0.setValue("de", forHTTPHeaderField: "Accept-Language")
                    $0.setValue("k=v; l=w", forHTTPHeaderField: "Cookie")
                }, script: .respond("404 Not Found", body: .text("nothing"))),
        ]

        @Test(arguments: messages.indices)
        func aUsualMessageIsExact(index: Int) async throws {
            let message = Self.messages[index]
            try await InterceptedOrigin.run(LoopbackOrigin { _ in message.script }) { intercepted in
                var request = URLRequest(url: try intercepted.url("/path?query=%20"))
                message.request(&request)
                _ = try await intercepted.session().data(for: request)
                _ = intercepted.origin.waitUntilIdle()
                let truth = try #require(intercepted.origin.exchanges.first)
                let told = try #require(intercepted.sink.requests.first)
                #expect(told.size.startLine == .init(ByteCount(truth.request.startLine), .reconstructed))
                #expect(told.size.body == .init(ByteCount(truth.request.body), .reconstructed))
                #expect(told.size.total == ByteCount(truth.request.total))
                let response = try #require(intercepted.sink.response(to: told.exchange))
                #expect(response.size.total == ByteCount(truth.response.total))
                #expect(response.size.evidence == .reconstructed)
                #expect(told.size.margin == 0)
                #expect(response.size.margin != nil)
            }
        }

        /// Foundation for Linux keeps the headers of a body that it does not send again.
        @Test(arguments: [307, 308], ["POST", "PUT", "PATCH", "DELETE"])
        func aRedirectThatKeepsTheMethodIsFollowedWithoutTheBody(status: Int, method: String) async throws {
            let origin = LoopbackOrigin { request in
                request.path == "/old"
                    ? .respond("\(status) Moved", fields: ["Location: /new"], body: .text(""))
                    : .respond(body: .text("new"))
            }
            try await InterceptedOrigin.run(origin) { intercepted in
                for type in [nil, "application/json"] {
                    var request = URLRequest(url: try intercepted.url("/old"))
                    request.httpMethod = method
                    request.httpBody = Data(repeating: 7, count: 500)
                    request.setValue(type, forHTTPHeaderField: "Content-Type")
                    _ = try await intercepted.session().data(for: request)
                }
                _ = intercepted.origin.waitUntilIdle()
                #expect(intercepted.sink.requests.map(\.path) == ["/old", "/new", "/old", "/new"])
                for (told, truth) in zip(intercepted.sink.requests, intercepted.origin.exchanges) {
                    #expect(told.size.total == ByteCount(truth.request.total))
                    #expect(told.size.body == .init(ByteCount(truth.request.body), .reconstructed))
                    #expect(told.size.margin == 0)
                }
                #expect(intercepted.origin.exchanges.map(\.request.body) == [500, 0, 500, 0])
            }
        }
    }
#endif
