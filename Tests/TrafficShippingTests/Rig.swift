import FleetTables
import Foundation
import TestSupport
import TrafficModel
import TrafficStore

@testable import TrafficShipping

/// A store with traffic, a fleet to send it to, and a clock and a chance that a test decides.
final class Rig {
    let folder: String
    let fleet = FakeFleet()
    var options = ShippingOptions()
    var now = Traffic.moment(3_600_000)
    var random = SeededGenerator(seed: 7)
    private(set) var news: [ShippingNews] = []
    /// How many waits are left before shipping is to stop.
    var waits = Int.max
    /// How often it is asked whether it may ship, before it may.
    var refusals = 0
    /// What happens while a shipper waits.
    var meanwhile: () throws -> Void = {}

    init() throws {
        folder = NSTemporaryDirectory() + "shipping-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        options.share = .all
        options.sums = .minutes
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var path: String { folder + "/traffic.db" }

    func writer(_ resource: TrafficResource = TrafficResource(service: "shop")) throws -> StoreWriter {
        let now = Traffic.moment(0)
        return try StoreWriter.open(path, resource: resource, now: { now })
    }

    /// Writes a store with that many exchanges.
    func fill(_ count: Int, seed: UInt64 = 1) throws {
        let writer = try writer()
        try writer.write(Traffic.events(count, seed: seed))
        try writer.close()
    }

    func reader() throws -> StoreReader { try StoreReader.open(path) }

    /// Ships everything with a new shipper, as a new process would.
    func ship(follows: Bool = false) throws {
        let store = try ShippingStore.open(path)
        defer { try? store.close() }
        let surroundings = ShippingSurroundings(
            now: { self.now }, random: { Double.random(in: 0...1, using: &self.random) },
            wait: { time in
                self.now = max(self.now, time)
                self.waits -= 1
                try? self.meanwhile()
                return self.waits > 0
            },
            mayShip: {
                self.refusals -= 1
                return self.refusals < 0
            }, say: { self.news.append($0) })
        let shipper = try Shipper(from: store, reader(), to: fleet, options, follows: follows, surroundings)
        try shipper.run()
    }
}

/// Traffic of some kinds, the same for the same seed.
enum Traffic {
    /// 2025-11-21T00:00:30Z.
    static func moment(_ milliseconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: 1_763_683_230_000_000_000 + milliseconds * 1_000_000)
    }

    static func events(_ count: Int, seed: UInt64 = 1, first: Int64 = 1) -> [TrafficEvent] {
        var generator = SeededGenerator(seed: seed)
        return (first..<first + Int64(count)).flatMap { id in
            let begin = Int64.random(in: 0...10_000_000, using: &generator)
            let status = [200, 200, 304, 404, 500].randomElement(using: &generator) ?? 200
            let host = ["a.test", "b.test"].randomElement(using: &generator) ?? ""
            return exchange(id, at: begin, host: host, status: status, connection: id / 4 + 1)
        }
    }

    static func request(_ id: Int64, at begin: Int64 = 0, host: String = "a.test", path: String = "") -> TrafficEvent {
        .request(
            RequestRecord(
                exchange: ExchangeID(id), task: ExchangeID(id), resendCount: 0,
                process: ProcessIdentity(pid: 42, name: "app"), startedAt: moment(begin), method: "GET",
                scheme: "https", host: host, port: 443, path: path.isEmpty ? "/users/\(id)" : path, query: "q=\(id)",
                template: path.isEmpty ? "/users/{id}" : path, httpVersion: "2",
                fields: FieldSection(bytes: Array("host: \(host)\r\n".utf8)),
                size: WireSize(startLine: .captured(20 + id % 7), fields: .captured(40 + id % 11))))
    }

    static func rest(_ id: Int64, at begin: Int64 = 0, status: Int = 200, connection: Int64 = 1) -> [TrafficEvent] {
        var end = ExchangeEnd(
            exchange: ExchangeID(id), endedAt: moment(begin + 50 + id % 300), outcome: .completed,
            timings: ExchangeTimings(total: (50 + id % 300) * 1_000_000), connection: ConnectionID(connection),
            reusedConnection: id % 4 != 0)
        end.remoteAddress = "10.0.0.1:443"
        return [
            .response(
                ResponseRecord(
                    exchange: ExchangeID(id), firstByteAt: moment(begin + 20), status: status, reason: "",
                    httpVersion: "2", fields: FieldSection(bytes: Array("server: x\r\n".utf8)),
                    size: WireSize(startLine: .captured(9), fields: .captured(11), body: .captured(id * 13 % 5_000)),
                    contentType: "application/json")), .end(end),
        ]
    }

    static func exchange(
        _ id: Int64, at begin: Int64, host: String = "a.test", status: Int = 200, connection: Int64 = 1
    ) -> [TrafficEvent] {
        [request(id, at: begin, host: host)] + rest(id, at: begin, status: status, connection: connection)
    }

    static func connection(_ id: Int64, exchanges: Int64, isClosed: Bool) -> TrafficEvent {
        .connection(
            ConnectionRecord(
                connection: ConnectionID(id), process: ProcessIdentity(pid: 42, name: "app"),
                localAddress: "10.0.0.2:5000", remoteAddress: "10.0.0.1:443", openedAt: moment(0),
                closedAt: isClosed ? moment(9_000) : nil, payloadUp: ByteCount(exchanges * 100),
                payloadDown: ByteCount(exchanges * 900), load: ConnectionLoad(exchanges: exchanges)))
    }
}
