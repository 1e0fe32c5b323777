import Foundation
import GRDB
import TrafficModel

@testable import TrafficStore

/// A folder that goes when the test is over.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "traffic-store-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String = "traffic.db") -> String { path + "/" + name }

    /// A writer into its file.
    func batchWriter(busyTimeout: Double = 5, _ set: (inout BatchWriter.Options) -> Void) throws -> BatchWriter {
        var options = BatchWriter.Options()
        set(&options)
        return BatchWriter(store: try StoreWriter.open(file(), busyTimeout: busyTimeout), options: options)
    }

    /// Every file with its bytes.
    func contents() throws -> [String: Data] {
        var result: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            result[name] = try Data(contentsOf: URL(fileURLWithPath: file(name)))
        }
        return result
    }
}

enum Sample {
    /// 2025-11-21T00:00:30Z.
    static let epoch: Int64 = 1_763_683_230_000_000_000

    static func moment(_ milliseconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: epoch + milliseconds * 1_000_000)
    }

    static func section(_ lines: String...) -> FieldSection {
        FieldSection(bytes: Array(lines.map { $0 + "\r\n" }.joined().utf8))
    }

    static func request(
        _ exchange: Int64, at milliseconds: Int64 = 0, method: String = "GET", host: String = "api.test",
        path: String = "/users/1", template: String = "/users/{id}", size: WireSize? = nil
    ) -> RequestRecord {
        RequestRecord(
            exchange: ExchangeID(exchange), task: ExchangeID(exchange), resendCount: 0,
            process: ProcessIdentity(pid: 42, name: "app"), startedAt: moment(milliseconds), method: method,
            scheme: "https", host: host, port: 443, path: path, query: nil, template: template, httpVersion: "1.1",
            fields: section("Host: \(host)", "Accept: */*"),
            size: size ?? WireSize(startLine: .captured(24), fields: .captured(31)))
    }

    static func response(
        _ exchange: Int64, at milliseconds: Int64 = 20, status: Int = 200, type: String = "application/json",
        size: WireSize? = nil
    ) -> ResponseRecord {
        ResponseRecord(
            exchange: ExchangeID(exchange), firstByteAt: moment(milliseconds), status: status, reason: "OK",
            httpVersion: "1.1", fields: section("Content-Type: \(type)", "Content-Length: 512"),
            size: size ?? WireSize(startLine: .captured(17), fields: .captured(60), body: .captured(512)),
            decodedBody: WireSize.Part(2_048, .reconstructed), contentType: type, contentEncoding: "gzip")
    }

    static func end(
        _ exchange: Int64, at milliseconds: Int64 = 50, outcome: ExchangeEnd.Outcome = .completed,
        total: Int64? = 50_000_000
    ) -> ExchangeEnd {
        ExchangeEnd(
            exchange: ExchangeID(exchange), endedAt: moment(milliseconds), outcome: outcome,
            timings: ExchangeTimings(total: total))
    }

    /// The same end as a store returns it.
    static func storedEnd(_ exchange: Int64) -> ExchangeEnd {
        var end = end(exchange)
        end.exchange = .notKept
        return end
    }

    /// A whole exchange.
    static func events(_ exchange: Int64, at milliseconds: Int64 = 0) -> [TrafficEvent] {
        [
            .request(request(exchange, at: milliseconds)), .response(response(exchange, at: milliseconds + 20)),
            .end(end(exchange, at: milliseconds + 50)),
        ]
    }
}

extension Exchange {
    /// Its records as events.
    var events: [TrafficEvent] {
        var events = [TrafficEvent.request(request)]
        if let response { events.append(.response(response)) }
        if let end { events.append(.end(end)) }
        return events
    }
}

extension TimeRange {
    /// The range that sums of minutes have for it.
    var inWholeMinutes: TimeRange {
        let minute: Int64 = 60_000_000_000
        return TimeRange(
            since: since.map { Timestamp(nanoseconds: $0.nanoseconds / minute * minute) },
            until: until.map { Timestamp(nanoseconds: ($0.nanoseconds + minute - 1) / minute * minute) })
    }
}

extension StoreReader {
    /// All that match.
    func exchanges(
        _ filter: ExchangeFilter = ExchangeFilter(), order: ExchangeOrder = .oldestFirst, after: Int64? = nil,
        limit: Int = .max
    ) throws -> [StoredExchange] {
        var result: [StoredExchange] = []
        try forEachExchange(matching: filter, order: order, after: after.map { StoredExchange.ID($0) }) {
            result.append($0)
            return result.count < limit
        }
        return result
    }
}

extension BatchWriter {
    /// Calls it whenever the writer puts in an exchange; what it throws, SQLite meets.
    func onInsert(_ act: @escaping @Sendable () throws -> Void) throws {
        try store.queue.writeWithoutTransaction { database in
            database.add(
                function: DatabaseFunction("act", argumentCount: 0) { _ in
                    try act()
                    return nil
                })
            try database.execute(
                sql: "CREATE TEMP TRIGGER acting AFTER INSERT ON main.exchange BEGIN SELECT act(); END")
        }
    }
}
