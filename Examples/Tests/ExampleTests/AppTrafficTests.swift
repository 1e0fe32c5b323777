#if os(Linux)
    import AppTraffic
    import FeedClient
    import Foundation
    import Testing
    import Wireweight
    import WireweightTesting

    /// Tests the app's meter on Linux, where its sizes can be compared with the origin's.
    @Suite("An app's meter")
    struct AppTrafficTests {
        @Test("it shows each API with the bytes that the origin saw, the heaviest first")
        func apis() async throws {
            let article = #"{"id":1,"title":"\#(String(repeating: "-", count: 500))"}"#
            let origin = LoopbackOrigin { .respond(body: .text($0.path == "/feed" ? "[]" : article)) }
            try origin.start()
            defer { origin.stop() }
            let folder = try Folder()
            let traffic = AppTraffic(folder: folder.url, hosts: ["127.0.0.1"])
            defer { traffic.stop() }
            let feed = FeedClient(address: try #require(URL(string: origin.address)), session: traffic.session())

            _ = try await feed.loadFeed()
            for id in 1...2 { _ = try await feed.loadArticle(id) }

            let apis = try await traffic.apis()
            #expect(apis.map(\.key.template) == ["/articles/{id}", "/feed"])
            #expect(apis.map(\.requests) == [2, 1])
            #expect(apis.reduce(.zero) { $0 + $1.up.total } == ByteCount(origin.receivedBytes))
            #expect(apis.reduce(.zero) { $0 + $1.down.total } == ByteCount(origin.sentBytes))
            #expect(apis.allSatisfy { !$0.isEstimated })
        }

        @Test("an app that cannot be metered runs all the same")
        func unmetered() async throws {
            let origin = LoopbackOrigin { _ in .respond(body: .text("[]")) }
            try origin.start()
            defer { origin.stop() }
            let folder = try Folder()
            let traffic = AppTraffic(folder: folder.url.appending(path: "that is not there"))
            let feed = FeedClient(address: try #require(URL(string: origin.address)), session: traffic.session())

            #expect(try await feed.loadFeed().isEmpty)
            #expect(try await traffic.apis().isEmpty)
        }
    }
#endif
