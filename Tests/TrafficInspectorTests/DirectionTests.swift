import Foundation
import TestSupport
import Testing
import TrafficModel
import TrafficStore

@testable import TrafficInspector

/// Lists show both directions, sums one of them.
@Suite(.serialized, .oneAtATime, .timeLimit(.minutes(4))) struct DirectionTests {
    /// Six exchanges of one API, of which the even ones were served.
    private func shown() async throws -> Shown {
        let shown = try await Shown()
        for id in 1...6 as ClosedRange<Int64> {
            let events = Sample.events(id).map { event -> TrafficEvent in
                guard case .request(var request) = event else { return event }
                request.direction = id % 2 == 0 ? .served : .called
                return .request(request)
            }
            try shown.writer.write(events)
            try shown.writer.write([
                .connection(
                    ConnectionRecord(
                        connection: ConnectionID(id), process: ProcessIdentity(pid: 1, name: "app"),
                        localAddress: "127.0.0.1:1", remoteAddress: "127.0.0.1:2",
                        openedAt: Timestamp(nanoseconds: Sample.epoch), payloadUp: 1, payloadDown: 1,
                        load: ConnectionLoad(exchanges: 1), direction: id % 3 == 0 ? .served : .called))
            ])
        }
        return shown
    }

    @Test func theOverviewNamesTheDirections() async throws {
        #expect(try await shown().ask("/api/v1/overview").object["directions"] as? [String] == ["called", "served"])
        #expect(try await Shown().ask("/api/v1/overview").object["directions"] as? [String] == ["called"])
    }

    @Test(arguments: [("", [6, 5, 4, 3, 2, 1]), ("?direction=served", [6, 4, 2]), ("?direction=called", [5, 3, 1])])
    func listsAreFiltered(query: String, ids: [Int]) async throws {
        let reply = try await shown().ask("/api/v1/exchanges\(query)")
        #expect(try reply.ids() == ids)
        let rows = try #require(try reply.object["exchanges"] as? [[String: Any]])
        #expect(
            rows.map { $0["direction"] as? String }
                == ids.map { $0 % 2 == 0 ? "served" : "called" })
    }

    @Test(arguments: [
        ("", [("called", 3), ("served", 3)]), ("?direction=served", [("served", 3)]),
        ("?until=\((Sample.epoch / 1_000_000) + 3_000)", [("called", 1), ("served", 1)]),
    ])
    func sumsOfAFilterAreApart(query: String, expected: [(String, Int)]) async throws {
        let sums = try await shown().ask("/api/v1/sums\(query)").object["sums"] as? [[String: Any]]
        #expect(sums?.map { $0["direction"] as? String } == expected.map(\.0))
        #expect(sums?.map { $0["requests"] as? Int } == expected.map(\.1))
    }

    @Test func sumsAreOfOneDirection() async throws {
        let shown = try await shown()
        for (query, direction) in [("", "called"), ("?direction=called", "called"), ("?direction=served", "served")] {
            let table = try await shown.ask("/api/v1/apis\(query)").object
            let apis = try #require(table["apis"] as? [[String: Any]])
            #expect(apis.map { $0["direction"] as? String } == [direction])
            #expect(apis.map { $0["requests"] as? Int } == [3])
            #expect((table["totals"] as? [String: Any])?["requests"] as? Int == 3)
            #expect((apis.first?["spark"] as? [Int])?.reduce(0, +) == 3)
            let timeline = try await shown.ask("/api/v1/timeline\(query)").object
            #expect((timeline["requests"] as? [Int])?.reduce(0, +) == 3, "\(query)")
        }
    }

    @Test func connectionsAreFiltered() async throws {
        let shown = try await shown()
        for (query, ids) in [
            ("", [6, 5, 4, 3, 2, 1]), ("?direction=served", [6, 3]), ("?direction=called", [5, 4, 2, 1]),
        ] {
            let page = try await shown.ask("/api/v1/connections\(query)").object
            let rows = try #require(page["connections"] as? [[String: Any]])
            #expect(rows.map { $0["id"] as? Int } == ids, "\(query)")
            #expect(rows.allSatisfy { ($0["direction"] as? String == "served") == (($0["id"] as? Int ?? 0) % 3 == 0) })
        }
    }

    @Test(arguments: ["exchanges", "apis", "timeline", "connections"])
    func anotherWordIsRefused(path: String) async throws {
        #expect(try await shown().ask("/api/v1/\(path)?direction=up").status == 400)
    }
}
