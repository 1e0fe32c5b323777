import ClickHouse
import ContentCoding
import FleetTables
import Foundation
import HTTPWire
import Locks
import RowBinary
import TestSupport
import Testing
import TrafficModel
import TrafficStore
import Wireweight
import WireweightShipping
import WireweightTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A monitor that ships, and meters its own shipping.
@Suite("A monitor that ships", .serialized, .oneAtATime)
struct ShippingTests {
    private let file = TemporaryFile()

    private func started(_ origin: LoopbackOrigin) throws -> LoopbackOrigin {
        try origin.start()
        return origin
    }

    private func address(_ origin: LoopbackOrigin) -> String { "clickhouse://127.0.0.1:\(origin.port)/fleet" }

    /// The exchanges that came to a destination.
    private func arrived(_ destination: LoopbackOrigin) -> [StoredExchange] {
        destination.exchanges.compactMap(\.parsed).filter { $0.target.contains("INSERT%20INTO%20%60exchange%60") }
            .flatMap {
                guard let content = ZlibContent(of: $0.body, coding: .gzip, limit: 1 << 20) else {
                    return [StoredExchange]()
                }
                var reader = RowBinaryReader(content.bytes)
                var rows: [StoredExchange] = []
                while !reader.isAtEnd, !reader.isBroken { rows.append(FleetExchange.table.read(&reader).exchange) }
                return rows
            }
    }

    @Test("sends its exchanges, and of its own uploads none, which are in its file")
    func ships() async throws {
        let origin = try started(LoopbackOrigin { _ in Corpus.text("hello") })
        let destination = try started(LoopbackOrigin { _ in .respond(body: .text("")) })
        defer {
            origin.stop()
            destination.stop()
        }
        var configuration = TrafficMonitor.Configuration(store: file.path)
        configuration.hosts.include = ["127.0.0.1:\(origin.port)", "127.0.0.1:\(destination.port)"]
        let monitor = try TrafficMonitor.start(configuration)
        defer { monitor.stop() }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        for number in 1...5 {
            _ = try await session.data(from: try #require(URL(string: "\(origin.address)/items/\(number)")))
        }
        await monitor.flush()
        let shipment = try monitor.startShipping(.to(address(destination), token: "a token"))
        #expect(await eventually { shipment.status.exchanges == 5 })
        #expect(shipment.status.lastError == nil)
        shipment.stop()
        #expect(await eventually { shipment.status.hasEnded })
        #expect(
            arrived(destination).map(\.request.authority) == [String](repeating: "127.0.0.1:\(origin.port)", count: 5))
        #expect(arrived(destination).allSatisfy { $0.request.path.isEmpty })
        #expect(
            destination.exchanges.compactMap(\.parsed).allSatisfy {
                $0.value(of: "Authorization") == "Bearer a token" && $0.value(of: "User-Agent") == "wireweight"
            })
        // Another one of the same store sends nothing of what the first one has sent, nor its uploads.
        await monitor.flush()
        let sent = arrived(destination).count
        _ = try await session.data(from: try #require(URL(string: "\(origin.address)/items/6")))
        await monitor.flush()
        let next = try monitor.startShipping(.to(address(destination), token: "a token"))
        #expect(await eventually { next.status.exchanges == 1 })
        #expect(arrived(destination).count == sent + 1)
        #expect(arrived(destination).last?.request.authority == "127.0.0.1:\(origin.port)")
        monitor.stop()
        let uploads = try StoreReader.open(file.path).totals(by: .host, in: .always).filter {
            $0.key.host == "127.0.0.1:\(destination.port)"
        }
        #expect(uploads.reduce(0) { $0 + $1.requests } > 0)
    }

    @Test("sends spans and metrics to a collector, of its own uploads none")
    func collects() async throws {
        let origin = try started(LoopbackOrigin { _ in Corpus.text("hello") })
        let destination = try started(LoopbackOrigin { _ in .respond(body: .text("")) })
        defer {
            origin.stop()
            destination.stop()
        }
        var configuration = TrafficMonitor.Configuration(store: file.path)
        configuration.hosts.include = ["127.0.0.1:\(origin.port)", "127.0.0.1:\(destination.port)"]
        let monitor = try TrafficMonitor.start(configuration)
        defer { monitor.stop() }
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        func fetch(_ path: String) async throws {
            _ = try await session.data(from: try #require(URL(string: origin.address + path)))
            await monitor.flush()
        }
        for number in 1...5 { try await fetch("/items/\(number)") }
        let address = "otlp+http://127.0.0.1:\(destination.port)/"
        let shipment = try monitor.startShipping(.to(address, headers: ["X-Token": "a token"]))
        #expect(await eventually { shipment.status.exchanges == 5 })
        shipment.stop()
        #expect(await eventually { shipment.status.hasEnded })
        // The uploads have ended, too, when the next one begins.
        try await fetch("/items/6")
        let next = try monitor.startShipping(.to(address, headers: ["X-Token": "a token"]))
        #expect(await eventually { next.status.exchanges == 1 })
        monitor.stop()
        #expect(destination.waitUntilIdle())
        let requests = destination.exchanges.compactMap(\.parsed)
        #expect(
            requests.map(\.target).sorted() == ["/v1/metrics", "/v1/metrics", "/v1/traces", "/v1/traces"])
        #expect(
            requests.allSatisfy { $0.value(of: "X-Token") == "a token" && $0.value(of: "User-Agent") == "wireweight" })
        let contents = requests.compactMap { ZlibContent(of: $0.body, coding: .gzip, limit: 1 << 20)?.bytes }
            .map { String(decoding: $0, as: UTF8.self) }
        #expect(contents.count == 4)
        #expect(contents.filter { $0.contains("http://127.0.0.1:\(origin.port)") }.count == 2)
        #expect(!contents.contains { $0.contains("v1/traces") || $0.contains("http://127.0.0.1:\(destination.port)") })
        let uploads = try StoreReader.open(file.path).totals(by: .host, in: .always).filter {
            $0.key.host == "127.0.0.1:\(destination.port)"
        }
        #expect(uploads.reduce(0) { $0 + $1.requests } > 0)
    }

    @Test("stops while a destination is silent, and keeps what it has not sent")
    func silent() async throws {
        let mayAnswer = DispatchSemaphore(value: 0)
        let isAsked = Mutex(false)
        let destination = try started(
            LoopbackOrigin { _ in
                isAsked.withLock { $0 = true }
                mayAnswer.wait()
                return .respond(body: .text(""))
            })
        defer { destination.stop() }
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        let shipment = try monitor.startShipping(.to(address(destination)))
        #expect(await eventually { isAsked.withLock(\.self) })
        monitor.stop()
        #expect(await eventually { shipment.status.hasEnded })
        #expect(shipment.status.bytes == .zero)
        mayAnswer.signal()
        let store = try ShippingStore.open(file.path)
        let kept = try store.pending(for: store.state(of: address(destination)).destination)
        #expect(kept != nil)
    }

    @Test("says what is wrong with where to and how much")
    func mistakes() throws {
        let monitor = try TrafficMonitor.start(.init(store: file.path))
        defer { monitor.stop() }
        func error(_ shipping: TrafficMonitor.Shipping) -> MonitorError? {
            #expect(throws: MonitorError.self) { try monitor.startShipping(shipping) }
        }
        #expect(error(.to("https://example.com/fleet"))?.code == .cannotShip)
        #expect(error(.to("clickhouse://example.com/fleet?service=x"))?.message.contains("parameters") == true)
        #expect(error(.to("clickhouse://example.com/fleet", token: "a\nb"))?.code == .cannotShip)
        #expect(error(.to("clickhouse://example.com/fleet", headers: [:]))?.code == .wrongConfiguration)
        #expect(error(.to("otlp+https://example.com/", user: "me"))?.code == .wrongConfiguration)
        #expect(error(.to("otlp+https://example.com/", token: "a\nb"))?.code == .cannotShip)
        #expect(error(.to("otlp+https://example.com/?service=x"))?.message.contains("collector") == true)
        var wrong = TrafficMonitor.Shipping.to("clickhouse://example.com/fleet")
        wrong.details = 1.5
        #expect(error(wrong)?.message == "'details' is 1.5; it must be a share from 0 to 1")
        wrong.details = 1
        wrong.bytesPerHour = .zero
        #expect(error(wrong)?.code == .wrongConfiguration)
    }
}
