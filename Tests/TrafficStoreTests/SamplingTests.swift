import Foundation
import Testing
import TrafficModel

@testable import TrafficStore

/// Promise 6 of the design: totals are never sampled.
@Suite("Exchanges that are counted and not kept")
struct SamplingTests {
    private let path = NSTemporaryDirectory() + "sampling-\(UUID().uuidString).db"

    private func events(_ number: Int64, keepsDetail: Bool) -> [TrafficEvent] {
        let id = ExchangeID(number)
        let began = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + number)
        var request = RequestRecord(
            exchange: id, task: id, resendCount: 0, process: ProcessIdentity(pid: 1, name: "app"), startedAt: began,
            method: "GET", scheme: "http", host: "a.example", port: 80, path: "/x", query: nil, template: "/x",
            httpVersion: "1.1", fields: FieldSection(bytes: Array("A: b\r\n".utf8)),
            size: WireSize(startLine: .captured(16), fields: .captured(8)))
        request.keepsDetail = keepsDetail
        request.capturedBody = [1, 2, 3]
        let response = ResponseRecord(
            exchange: id, firstByteAt: began, status: 200, reason: "OK", httpVersion: "1.1", fields: FieldSection(),
            size: WireSize(startLine: .captured(17), fields: .captured(2), body: .captured(100)))
        let end = ExchangeEnd(
            exchange: id, endedAt: began, outcome: .completed, timings: ExchangeTimings(total: 1_000_000))
        return [.request(request), .response(response), .end(end)]
    }

    private func check(kept: Int) throws {
        let reader = try StoreReader.open(path)
        let totals = try reader.totals(by: .api, in: .always)
        #expect(totals.map(\.requests) == [10])
        #expect(totals.map(\.responses) == [10])
        #expect(totals.map(\.up.total.bytes) == [240])
        #expect(totals.map(\.down.total.bytes) == [1_190])
        #expect(totals.map(\.latency.count) == [10])
        var rows = 0
        try reader.forEachExchange(matching: ExchangeFilter(), order: .oldestFirst, after: nil) { _ in
            rows += 1
            return true
        }
        #expect(rows == kept)
    }

    @Test("come whole in one batch: they never get rows")
    func oneBatch() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try StoreWriter.open(path)
        try writer.write((1...10).flatMap { events($0, keepsDetail: $0 <= 3) })
        try writer.close()
        try check(kept: 3)
    }

    @Test("are written while they run and gone when they have ended")
    func acrossBatches() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try StoreWriter.open(path)
        let all = (1...10).map { events($0, keepsDetail: $0 <= 3) }
        for part in 0..<3 { try writer.write(all.map { $0[part] }) }
        try writer.close()
        try check(kept: 3)
    }

    @Test("are still rows, and counted, when the writer goes away before they end")
    func running() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let writer = try StoreWriter.open(path)
        try writer.write(Array(events(1, keepsDetail: false).prefix(2)))
        let totals = try StoreReader.open(path).totals(by: .api, in: .always)
        #expect(totals.map(\.requests) == [1])
        #expect(totals.map(\.down.total.bytes) == [119])
        try writer.close()
    }
}
