import Foundation
import Glibc
import TestSupport
import Testing
import TrafficModel
import TrafficStore
import Wireweight
import WireweightInspector
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking

    /// A monitor that watches all connections of this process, which is client and server at once.
    @Suite("The observer of streams", .serialized, .oneAtATime, .timeLimit(.minutes(2)))
    struct StreamsObserverTests {
        private let file = TemporaryFile()

        private var configuration: TrafficMonitor.Configuration {
            var configuration = TrafficMonitor.Configuration(store: file.path)
            configuration.observers = [.streams]
            return configuration
        }

        private func origin() throws -> LoopbackOrigin {
            let origin = LoopbackOrigin { request in
                request.target == "/chunks"
                    ? .respond(body: .chunked(Array("hello, chunks".utf8), sizes: [1, 5]))
                    : Corpus.text("hello")
            }
            try origin.start()
            return origin
        }

        private func rows() throws -> [StoredExchange] {
            var rows: [StoredExchange] = []
            try StoreReader.open(file.path).forEachExchange(matching: .init(), order: .oldestFirst, after: nil) {
                rows.append($0)
                return true
            }
            return rows
        }

        /// A client without an HTTP library; returns how many bytes came.
        private func ask(_ path: String, port: UInt16) throws -> Int {
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let connected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(connected == 0)
            let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n".utf8)
            try #require(send(socket, request, request.count, 0) == request.count)
            var bytes = [UInt8](repeating: 0, count: 7)
            var all = 0
            while case let got = recv(socket, &bytes, bytes.count, 0), got > 0 { all += got }
            return all
        }

        @Test("sockets and URLSession: each exchange once at either end, captured, as the origin counted it")
        func bothEnds() async throws {
            let origin = try origin()
            defer { origin.stop() }
            let monitor = try TrafficMonitor.start(configuration)
            let session = URLSession(configuration: .ephemeral)
            defer { session.finishTasksAndInvalidate() }
            for path in ["/plain", "/chunks"] {
                #expect(try ask(path, port: origin.port) > 0)
                _ = try await session.data(from: try #require(URL(string: origin.address + path)))
            }
            await monitor.flush()
            monitor.stop()
            let rows = try rows()
            for direction in [TrafficDirection.called, .served] {
                let ours = rows.filter { $0.request.direction == direction }
                #expect(ours.map(\.request.path).sorted() == ["/chunks", "/chunks", "/plain", "/plain"])
                #expect(ours.allSatisfy { $0.request.size.evidence == .captured })
                #expect(ours.reduce(0) { $0 + $1.request.size.known.bytes } == Int64(origin.receivedBytes))
                #expect(ours.reduce(0) { $0 + ($1.response?.size.known.bytes ?? 0) } == Int64(origin.sentBytes))
            }
        }

        @Test("the page about the traffic is not part of it")
        func inspector() async throws {
            let monitor = try TrafficMonitor.start(configuration)
            let page = try #require(URL(string: try await monitor.startInspector()))
            let port = UInt16(try #require(page.port))
            #expect(try ask("/api/v1/exchanges", port: port) > 0)
            await monitor.flush()
            monitor.stop()
            #expect(try rows().map(\.request.direction) == [.called])
        }

        @Test("a self-test finds what it finds without the observer, and leaves no trace")
        func selfTest() async throws {
            let monitor = try TrafficMonitor.start(configuration)
            let test = await TrafficMonitor.selfTest()
            await monitor.flush()
            monitor.stop()
            #expect(test.isPassed, "\(test)")
            #expect(try rows().isEmpty)
        }
    }
#endif
