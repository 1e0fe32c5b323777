import Foundation
import TestSupport
import Testing
import TextFormats
import TrafficModel
import TrafficReports
import TrafficStore

@testable import TrafficInspector

/// Sums by everything that the command groups by, and two APIs beside each other.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(2))) struct GroupTests {
    private func shown() async throws -> Shown {
        let shown = try await Shown()
        for id in Int64(1)...30 {
            try shown.writer.write(
                Sample.events(
                    id, path: id % 3 == 0 ? "/small" : "/large", host: id > 24 ? "other.test" : "api.test",
                    status: id == 4 ? nil : id % 5 == 0 ? 404 : 200, body: id % 3 == 0 ? 100 + id : 90_000 + id,
                    method: id == 7 ? "POST" : "GET"))
        }
        return shown
    }

    @Test(arguments: TrafficGrouping.allCases) func rowsAreThoseOfTheReport(grouping: TrafficGrouping) async throws {
        let shown = try await shown()
        // Devices are what was served, and here nothing was.
        let direction = grouping == .device ? TrafficDirection.served : .called
        let report = try TrafficReport(of: StoreReader.open(shown.path), by: grouping, direction: direction)
        let reply = try await shown.ask("/api/v1/apis?by=\(grouping.rawValue)").object
        let rows = try #require(reply[grouping.plural] as? [[String: Any]])
        let expected = try #require(
            JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any])
        let wanted = try #require(expected[grouping.plural] as? [[String: Any]])
        #expect(rows.count == wanted.count)
        for (row, other) in zip(rows, wanted) {
            for name in [
                "method", "host", "template", "path", "status", "contentType", "process", "network", "direction",
            ] {
                #expect("\(row[name] ?? "none")" == "\(other[name] ?? "none")", "\(name)")
            }
            for name in ["requests", "failures", "up", "down"] { #expect(row[name] as? Int == other[name] as? Int) }
            #expect((row["spark"] as? [Int])?.reduce(0, +) == row["requests"] as? Int)
        }
        #expect((reply["totals"] as? [String: Any])?["requests"] as? Int == (direction == .called ? 30 : 0))
        #expect(reply["by"] as? String == grouping.rawValue)
        #expect(reply["countedFrom"] as? String == (grouping.countsRows ? "rows" : "totals"))
    }

    @Test(arguments: [
        ("api", 2), ("host", 1), ("path", 2), ("status", 2), ("type", 1), ("method", 1), ("process", 1),
        ("direction", 1),
    ])
    func aHostHasItsOwn(grouping: String, count: Int) async throws {
        let shown = try await shown()
        let reply = try await shown.ask("/api/v1/apis?by=\(grouping)&host=other.test").object
        let rows = try #require(reply[TrafficGrouping(rawValue: grouping)?.plural ?? ""] as? [[String: Any]])
        #expect(rows.count == count)
        #expect(rows.compactMap { $0["requests"] as? Int }.reduce(0, +) == 6)
        #expect(reply["completeness"] is NSNull)
    }

    @Test func anotherGroupingIsRefused() async throws {
        let reply = try await shown().ask("/api/v1/apis?by=colour")
        #expect(reply.status == 400)
        #expect(reply.body.contains("'by' must be one of api, host, path"))
    }

    @Test func installationsOfAFleetThatSentSumsAloneAreSaid() throws {
        var store = FakeStore()
        store.details = DetailCoverage(installations: 3, withoutDetails: 2)
        for (target, isSaid) in [("/?by=path", true), ("/?by=network", true), ("/?by=host", false)] {
            var reader = RequestReader()
            reader.add(Array("GET \(target) HTTP/1.1\r\n\r\n".utf8))
            let table = try GroupTable(#require(try reader.next()))
            let text = try table.json(store).compact
            #expect(text.contains("2 of 3 installations sent no details of this time") == isSaid)
        }
    }

    @Test func twoAPIsAreComparedAsTwoRunsAre() async throws {
        let shown = try await shown()
        let query = "/api/v1/compare?api.a=GET%20api.test/small&api.b=GET%20api.test/large"
        let pair = try await shown.ask(query).object
        let apis = try #require(try await shown.ask("/api/v1/apis?host=api.test").object["apis"] as? [[String: Any]])
        for (name, template) in [("a", "/small"), ("b", "/large")] {
            let side = try #require(pair[name] as? [String: Any])
            let api = try #require(
                apis.first { $0["template"] as? String == template && $0["method"] as? String == "GET" })
            #expect(side["template"] as? String == template)
            for member in ["requests", "failures", "up", "down"] {
                #expect(side[member] as? Int == api[member] as? Int)
            }
        }
        #expect((pair["perCall"] as? [String: Any])?["finding"] as? String == "heavier")
        #expect((pair["latency"] as? [String: Any])?["finding"] as? String == "noise")
        let other = try await shown.ask("/api/v1/compare?api.a=POST%20api.test/large&api.b=GET%20nowhere.test/").object
        #expect((other["a"] as? [String: Any])?["requests"] as? Int == 1)
        #expect(other["b"] is NSNull)
    }
}
