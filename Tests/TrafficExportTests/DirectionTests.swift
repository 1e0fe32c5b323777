import Foundation
import Testing
import TrafficModel

@testable import TrafficExport

/// What was served is marked in every format.
@Suite("exports of what was served")
struct DirectionTests {
    /// One exchange that was called, and one of the same API that was served.
    private func store() throws -> Store {
        var served = Sample.request(2)
        served.direction = .served
        return try Store(
            Sample.exchange(1) + [.request(served), .response(Sample.response(2)), .end(Sample.end(2))])
    }

    @Test func linesHaveTheDirection() throws {
        let store = try store()
        let ndjson = try store.export(.ndjson).split(separator: "\n").map { try JSON(String($0))["direction"].string }
        #expect(ndjson == ["called", "served"])
        let csv = try store.export(.csv).components(separatedBy: "\r\n")
        #expect(csv[0].hasSuffix(",direction") && csv[1].hasSuffix(",called") && csv[2].hasSuffix(",served"))
        var filter = ExchangeFilter()
        filter.direction = .served
        #expect(try store.export(.ndjson) { $0.filter = filter }.split(separator: "\n").count == 1)
    }

    @Test("an archive has it beside the format's members, and the import reads it again")
    func archive() throws {
        let store = try store()
        let entries = try store.entries()
        #expect(entries.map { $0["_wireweight"]["direction"].string } == ["called", "served"])
        // The peer of a server is the client, so it is not the server's address.
        #expect(entries.map { $0["serverIPAddress"].string } == ["10.0.0.1", nil])
        var read: [TrafficDirection] = []
        var text: [UInt8]? = Array(try store.export(.har).utf8)
        func reader() -> HARReader {
            HARReader {
                defer { text = nil }
                return text ?? []
            }
        }
        var run = HARImport(HARReader.Facts())
        _ = try run.run(reader()) { events in
            for case .request(let request) in events { read.append(request.direction) }
        }
        #expect(read == [.called, .served])
    }

    @Test func metricsAreNeverAddedUp() throws {
        let text = try store().export(.openmetrics)
        let requests = text.split(separator: "\n").filter { $0.hasPrefix("wireweight_requests{") }
        #expect(requests.count == 2 && requests.allSatisfy { $0.hasSuffix(" 1") })
        #expect(requests[0].contains("traffic=\"called\"") && requests[1].contains("traffic=\"served\""))
    }

    @Test func telemetryHasTheNamesOfServers() throws {
        let store = try store()
        let spans = try JSON(store.export(.otlpJSON) { $0.signal = .traces })["resourceSpans"][0]["scopeSpans"][0][
            "spans"]
        #expect(spans.array.map { $0["kind"].int } == [3, 2])
        func names(_ span: JSON) -> Set<String> { Set(span["attributes"].array.compactMap { $0["key"].string }) }
        #expect(names(spans[0]).isSuperset(of: ["url.full", "url.template"]))
        #expect(names(spans[0]).isDisjoint(with: ["http.route", "client.address", "url.path"]))
        #expect(names(spans[1]).isSuperset(of: ["url.path", "http.route", "client.address", "network.peer.address"]))
        #expect(names(spans[1]).isDisjoint(with: ["url.full", "url.template"]))
        let line = try store.export(.otlpJSON) { $0.signal = .metrics }
        let metrics = try JSON(line)["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].array
        let found = Set(metrics.compactMap { $0["name"].string })
        for end in ["client", "server"] {
            for name in ["request.duration", "request.body.size", "response.body.size"] {
                #expect(found.contains("http.\(end).\(name)"))
            }
        }
        let counts = metrics.filter { $0["name"].string == "wireweight.requests" }
            .flatMap { $0["sum"]["dataPoints"].array.map { $0["asInt"].string } }
        #expect(counts == ["1", "1"])
    }
}
