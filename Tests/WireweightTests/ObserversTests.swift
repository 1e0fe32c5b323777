import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore
import Wireweight
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// Which observers a monitor may use, and that they do not count twice.
    @Suite("The observers of a monitor", .serialized, .oneAtATime, .timeLimit(.minutes(2)))
    struct ObserversTests {
        private let file = TemporaryFile()

        private func configuration(
            _ observers: Set<TrafficMonitor.Configuration.Observer>,
            _ sessions: TrafficMonitor.Configuration.Sessions = .init()
        ) -> TrafficMonitor.Configuration {
            var configuration = TrafficMonitor.Configuration(store: file.path)
            configuration.observers = observers
            configuration.sessions = sessions
            return configuration
        }

        private func origin() throws -> LoopbackOrigin {
            let origin = LoopbackOrigin { request in
                request.target == "/old"
                    ? .respond("302 Found", fields: ["Location: /new"], body: .text("")) : Corpus.text("hello")
            }
            try origin.start()
            return origin
        }

        private func get(_ url: String, by monitor: TrafficMonitor) async throws -> Data {
            let session = URLSession(configuration: URLSessionConfiguration.ephemeral.metered(by: monitor))
            defer { session.finishTasksAndInvalidate() }
            return try await session.data(from: try #require(URL(string: url))).0
        }

        private func rows() throws -> [StoredExchange] {
            var rows: [StoredExchange] = []
            try StoreReader.open(file.path).forEachExchange(matching: .init(), order: .oldestFirst, after: nil) {
                rows.append($0)
                return true
            }
            return rows
        }

        @Test("URLProtocol alone: each exchange once, reconstructed")
        func protocolAlone() async throws {
            let origin = try origin()
            defer { origin.stop() }
            let monitor = try TrafficMonitor.start(configuration([.urlProtocol]))
            #expect(try await get(origin.address + "/a?b=c", by: monitor) == Data("hello".utf8))
            await monitor.flush()
            monitor.stop()
            let row = try #require(try rows().first)
            #expect(try rows().count == 1)
            #expect(row.request.size.evidence == .reconstructed)
            #expect(row.request.size.known.bytes == Int64(origin.exchanges[0].request.total))
            #expect(row.response?.size.known.bytes == Int64(origin.exchanges[0].response.total))
        }

        @Test("the tap and URLProtocol at once: each exchange once, captured", arguments: ["/a", "/old"])
        func tapAndProtocol(path: String) async throws {
            let origin = try origin()
            defer { origin.stop() }
            let monitor = try TrafficMonitor.start(configuration([.libcurl, .urlProtocol, .taskMetrics]))
            #expect(try await get(origin.address + path, by: monitor) == Data("hello".utf8))
            await monitor.flush()
            monitor.stop()
            let rows = try rows()
            #expect(rows.count == origin.exchanges.count)
            for (row, truth) in zip(rows, origin.exchanges) {
                #expect(row.request.size.evidence == .captured)
                #expect(row.request.size.known.bytes == Int64(truth.request.total))
            }
            #expect(Set(rows.map(\.id)).count == rows.count)
        }

        @Test("configured fields are added to what URLProtocol sends on, and weighed")
        func headers() async throws {
            let origin = try origin()
            defer { origin.stop() }
            let monitor = try TrafficMonitor.start(
                configuration([.urlProtocol], .init(headers: ["X-App-Version": "1.2.3"])))
            _ = try await get(origin.address + "/a", by: monitor)
            await monitor.flush()
            monitor.stop()
            let sent = String(decoding: origin.exchanges[0].requestLog.kept, as: UTF8.self)
            #expect(sent.contains("\r\nX-App-Version: 1.2.3\r\n"))
            #expect(try rows().first?.request.size.known.bytes == Int64(origin.exchanges[0].request.total))
        }

        @Test("after the stop nothing is intercepted, and nothing reported")
        func stop() async throws {
            let origin = try origin()
            defer { origin.stop() }
            let monitor = try TrafficMonitor.start(
                configuration([.urlProtocol], .init(headers: ["X-App-Version": "1.2.3"])))
            let session = URLSession(configuration: URLSessionConfiguration.ephemeral.metered(by: monitor))
            defer { session.finishTasksAndInvalidate() }
            monitor.stop()
            _ = try await session.data(from: try #require(URL(string: origin.address + "/after")))
            let sent = String(decoding: origin.exchanges[0].requestLog.kept, as: UTF8.self)
            #expect(!sent.contains("X-App-Version"))
            #expect(try rows().isEmpty)
        }

        @Test("without URLProtocol a configuration is left as it is, and on Linux a delegate")
        func untouched() throws {
            final class Own: NSObject, URLSessionDelegate {}
            let monitor = try TrafficMonitor.start(configuration([.libcurl, .taskMetrics]))
            defer { monitor.stop() }
            let usual = URLSessionConfiguration.default
            #expect(usual.metered(by: monitor) === usual)
            let own = Own()
            #expect(monitor.delegate(wrapping: own) === own)
            #expect(monitor.delegate(wrapping: nil) == nil)
        }

        @Test("what cannot meter here is refused with the reason, and no file is made")
        func refused() throws {
            let metrics = #expect(throws: MonitorError.self) {
                try TrafficMonitor.start(configuration([.taskMetrics]))
            }
            #expect(metrics?.message == "Foundation for Linux collects no task metrics; observe `.libcurl` instead")
            let every = #expect(throws: MonitorError.self) {
                try TrafficMonitor.start(configuration([.libcurl], .init(includesEverySession: true)))
            }
            #expect(every?.code == .cannotObserve)
            #expect(
                every?.message == "sessions that others make can only be reached on Apple platforms; "
                    + "observe `.libcurl` on Linux, which meters them")
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }
#endif
