import Foundation
import TrafficModel
import TrafficPipeline
import TrafficStore

@testable import TrafficExport

/// A store in a folder that goes when the test is over, filled through a pipeline as an observer would.
final class Store {
    let folder: URL
    let reader: StoreReader

    init(_ events: [TrafficEvent] = [], redactor: Redactor = Redactor()) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("export-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appendingPathComponent("traffic.db").path
        let basket = Basket()
        let pipeline = TrafficPipeline(.init(redactor: redactor), to: basket)
        for event in events { pipeline.record(event) }
        let writer = try StoreWriter.open(path)
        try writer.write(basket.events)
        // What has not ended stays open: the writer is left as a crash would leave it, and read beside.
        self.writer = writer
        reader = try StoreReader.open(path)
    }

    private let writer: StoreWriter

    deinit { try? FileManager.default.removeItem(at: folder) }

    var exchanges: [StoredExchange] {
        get throws {
            var result: [StoredExchange] = []
            try reader.forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) {
                result.append($0)
                return true
            }
            return result
        }
    }

    func export(_ format: ExportFormat, _ change: (inout TrafficExport) -> Void = { _ in }) throws -> String {
        String(decoding: try exported(format, change), as: UTF8.self)
    }

    func exported(_ format: ExportFormat, _ change: (inout TrafficExport) -> Void = { _ in }) throws -> [UInt8] {
        var export = TrafficExport(format)
        change(&export)
        var content: [UInt8] = []
        try export.write(of: reader) { content += $0 }
        return content
    }

    /// The entries of the HAR.
    func entries(_ change: (inout TrafficExport) -> Void = { _ in }) throws -> [JSON] {
        try JSON(try export(.har, change))["log"]["entries"].array
    }
}

/// Keeps the events; each test uses one thread.
private final class Basket: TrafficSink, @unchecked Sendable {
    var events: [TrafficEvent] = []
    func record(_ event: TrafficEvent) { events.append(event) }
}

/// JSON as Foundation reads it: another parser than ours.
struct JSON {
    let value: Any?

    init(_ text: String) throws { value = try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    init(value: Any?) { self.value = value }

    subscript(_ name: String) -> JSON { JSON(value: (value as? [String: Any])?[name]) }
    subscript(_ index: Int) -> JSON { JSON(value: array.indices.contains(index) ? array[index].value : nil) }

    var array: [JSON] { (value as? [Any] ?? []).map { JSON(value: $0) } }
    var object: [String: Any]? { value as? [String: Any] }
    var string: String? { value as? String }
    var int: Int? { (value as? NSNumber).map(\.intValue) }
    var double: Double? { (value as? NSNumber).map(\.doubleValue) }
}

enum Sample {
    static let epoch: Int64 = 1_767_225_600_000_000_000

    static func moment(_ milliseconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: epoch + milliseconds * 1_000_000)
    }

    static func section(_ lines: [String]) -> FieldSection {
        FieldSection(bytes: Array(lines.map { $0 + "\r\n" }.joined().utf8))
    }

    static func request(
        _ exchange: Int64 = 1, method: String = "GET", path: String = "/users/1", query: String? = nil,
        host: String = "api.test", fields: [String] = ["Host: api.test", "Accept: */*"],
        size: WireSize = WireSize(startLine: .captured(24), fields: .captured(31)), body: [UInt8]? = nil
    ) -> RequestRecord {
        RequestRecord(
            exchange: ExchangeID(exchange), task: ExchangeID(exchange), resendCount: 0,
            process: ProcessIdentity(pid: 42, name: "app"), startedAt: moment(exchange * 1_000 - 35),
            sentAt: moment(exchange * 1_000), method: method,
            scheme: "https", host: host, port: 443, path: path, query: query, httpVersion: "1.1",
            fields: section(fields), size: size, capturedBody: body)
    }

    static func response(
        _ exchange: Int64 = 1, status: Int = 200, fields: [String] = ["Content-Type: application/json"],
        coding: String = "", size: WireSize? = nil, decoded: WireSize.Part = .unknown, body: [UInt8]? = nil
    ) -> ResponseRecord {
        ResponseRecord(
            exchange: ExchangeID(exchange), firstByteAt: moment(exchange * 1_000 + 20), status: status,
            reason: "OK", httpVersion: "1.1", fields: section(fields),
            size: size ?? WireSize(startLine: .captured(17), fields: .captured(60), body: .captured(512)),
            decodedBody: decoded, contentType: "application/json", contentEncoding: coding, capturedBody: body)
    }

    static func end(
        _ exchange: Int64 = 1, _ outcome: ExchangeEnd.Outcome = .completed,
        timings: ExchangeTimings = ExchangeTimings(
            dns: 5_000_000, connect: 10_000_000, tls: 20_000_000, send: 1_000_000, wait: 19_000_000,
            receive: 30_000_000, total: 85_000_000)
    ) -> ExchangeEnd {
        ExchangeEnd(
            exchange: ExchangeID(exchange), endedAt: moment(exchange * 1_000 + 50), outcome: outcome,
            timings: timings, connection: ConnectionID(7), remoteAddress: "10.0.0.1:443")
    }

    static func exchange(_ exchange: Int64 = 1) -> [TrafficEvent] {
        [.request(request(exchange)), .response(response(exchange)), .end(end(exchange))]
    }
}
