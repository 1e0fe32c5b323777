#if os(Linux)
    import FoundationNetworking
    import Foundation
    import Testing
    import Wireweight
    import WireweightInspector

    @Suite("The inspector in a program", .timeLimit(.minutes(1)))
    struct InspectorTests {
        @Test("the page is served while the monitor runs")
        func servesThePage() async throws {
            let folder = try Folder()
            let monitor = try TrafficMonitor.start(.init(store: folder.url.appending(path: "traffic.db").path))
            let address = try await monitor.startInspector()
            let url = try #require(URL(string: address))
            let (page, _) = try await URLSession.shared.data(from: url)
            #expect(String(decoding: page, as: UTF8.self).contains("<title>"))
            monitor.stop()
            await #expect(throws: URLError.self) { try await URLSession.shared.data(from: url) }
        }

        @Test("a program that only meters links no web server")
        func isLeftOut() throws {
            func linksServer(_ file: String) throws -> Bool {
                try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data("FlyingSocks".utf8)) != nil
            }
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let service = URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: "FeedService").path
            #expect(try linksServer(tests))
            #expect(try !linksServer(service))
        }
    }
#endif
