#if os(Linux)
    import Foundation
    import Testing
    import WireweightTesting

    @Suite("The service", .timeLimit(.minutes(1)))
    struct FeedServiceTests {
        @Test("on SIGTERM it prints what its calls weighed, byte for byte what the origin saw")
        func reportsAtTheEnd() async throws {
            let origin = LoopbackOrigin { _ in .respond(body: .text(#"[{"id":1,"title":"One"}]"#)) }
            try origin.start()
            defer { origin.stop() }
            let folder = try Folder()

            let service = Process()
            service.executableURL = try Self.executable()
            service.arguments = [origin.address, "3600"]
            service.currentDirectoryURL = folder.url
            let errors = Pipe()
            service.standardError = errors
            try service.run()
            var said = Data()
            while !String(decoding: said, as: UTF8.self).contains("articles: 1\n") {
                let more = errors.fileHandleForReading.availableData
                try #require(!more.isEmpty, "the service ended by itself")
                said += more
            }
            service.terminate()
            said += errors.fileHandleForReading.readDataToEndOfFile()
            service.waitUntilExit()

            #expect(service.terminationStatus == 0)
            #expect(service.terminationReason == .exit)
            #expect(
                String(decoding: said, as: UTF8.self).split(separator: "\n").last.map(String.init)
                    == "GET \(origin.authority) /feed: requests 1, "
                    + "bytes up \(origin.receivedBytes), bytes down \(origin.sentBytes)")
            #expect(FileManager.default.fileExists(atPath: folder.url.appending(path: "feed-traffic.db").path))
        }

        /// The service's executable, which is built together with these tests.
        private static func executable() throws -> URL {
            let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: "FeedService")
        }
    }
#endif
