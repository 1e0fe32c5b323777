import Foundation
import GRDB
import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

/// What was called and what was served are kept apart in every tier and by every grouping.
@Suite struct DirectionTests {
    private static let views = ["exchanges", "requests", "responses", "apis", "hourly", "connections"]

    /// Traffic of which every third exchange was served.
    private func exchanges() -> [Exchange] {
        var traffic = RandomTraffic(seed: 5, count: 600, span: 10_800_000)
        for index in traffic.exchanges.indices where index % 3 == 0 {
            traffic.exchanges[index].request.direction = .served
        }
        return traffic.exchanges
    }

    private func store(_ folder: Folder, _ name: String, _ exchanges: [Exchange]) throws -> StoreReader {
        let writer = try StoreWriter.open(folder.file(name))
        for exchange in exchanges { try writer.write(exchange.events) }
        return try StoreReader.open(folder.file(name))
    }

    private func query<Value: DatabaseValueConvertible>(_ path: String, _ sql: String) throws -> [Value] {
        try DatabaseQueue(path: path).read { try Value.fetchAll($0, sql: sql) }
    }

    @Test("sums of one direction are those of a store with nothing else", arguments: [false, true])
    func sums(isFolded: Bool) throws {
        let folder = try Folder()
        let all = exchanges()
        let mixed = try store(folder, "mixed.db", all)
        let ranges: [TimeRange] = [
            .always, TimeRange(since: Sample.moment(1_800_000)),
            TimeRange(since: Sample.moment(600_000), until: Sample.moment(9_000_000)),
        ]
        if isFolded {
            let writer = try StoreWriter.open(folder.file("mixed.db"))
            try writer.close()
        }
        for direction in TrafficDirection.allCases {
            let alone = try store(folder, "\(direction).db", all.filter { $0.request.direction == direction })
            for range in ranges {
                for grouping in TrafficGrouping.allCases {
                    let totals = try mixed.totals(by: grouping, in: range).filter { $0.key.direction == direction }
                    #expect(!totals.isEmpty)
                    #expect(try Set(totals) == Set(alone.totals(by: grouping, in: range)), "\(grouping)")
                }
                #expect(
                    try mixed.timeline(of: direction, in: range, limit: 40)
                        == alone.timeline(of: direction, in: range, limit: 40))
                let paths = try mixed.leadingPaths(10_000, of: direction, in: range, order: .latest) { $0 }
                #expect(Set(paths.rows) == Set(try alone.totals(by: .path, in: range)))
            }
            var filter = ExchangeFilter()
            filter.direction = direction
            #expect(
                try mixed.exchanges(filter).map(\.request.startedAt) == alone.exchanges().map(\.request.startedAt))
            #expect(try mixed.exchanges(filter).allSatisfy { $0.request.direction == direction })
            #expect(try alone.directions() == [direction])
        }
        #expect(try mixed.directions() == [.called, .served])
    }

    @Test func everyViewHasTheDirection() throws {
        let folder = try Folder()
        let reader = try store(folder, "mixed.db", exchanges())
        let writer = try StoreWriter.open(folder.file("mixed.db"))
        for id in 1...3 as ClosedRange<Int64> {
            try writer.write([.connection(connection(id, id == 1 ? .called : .served))])
        }
        try writer.close()
        for view in Self.views {
            let found: [String] = try query(
                folder.file("mixed.db"), "SELECT DISTINCT direction FROM \(view) ORDER BY 1")
            #expect(found == ["called", "served"], "\(view)")
        }
        for direction in TrafficDirection.allCases {
            for (view, sum) in [("exchanges", "count(*)"), ("apis", "sum(requests)"), ("hourly", "sum(requests)")] {
                let count: [Int64] = try query(
                    folder.file("mixed.db"), "SELECT \(sum) FROM \(view) WHERE direction = '\(direction)'")
                let total = try reader.totals(by: .direction, in: .always).first { $0.key.direction == direction }
                #expect(count == [total?.requests], "\(view) \(direction)")
            }
        }
        let connections = try reader.connections().map(\.direction)
        #expect(connections == [.called, .served, .served])
    }

    private func connection(_ id: Int64, _ direction: TrafficDirection) -> ConnectionRecord {
        ConnectionRecord(
            connection: ConnectionID(id), process: ProcessIdentity(pid: 1, name: "app"),
            localAddress: "127.0.0.1:1", remoteAddress: "127.0.0.1:2", openedAt: Sample.moment(id),
            closedAt: Sample.moment(id + 1), payloadUp: 100, payloadDown: 200,
            load: ConnectionLoad(exchanges: 1, messages: ByteFlow(up: 90, down: 200)), direction: direction)
    }

    @Test("the ledgers of a direction are covered by themselves, also when they are deleted")
    func ledgers() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        try writer.write(Sample.events(1) + (1...3).map { .connection(connection($0, $0 == 1 ? .called : .served)) })
        let reader = try StoreReader.open(folder.file())
        for isDeleted in [false, true] {
            if isDeleted {
                try writer.write(Sample.events(2, at: 100_000_000))
                while try writer.retain(RetentionPolicy(maxAge: 1)) {}
                while try writer.retain(RetentionPolicy(maxAge: 1)) {}
            }
            #expect(try reader.ledgerCoverage(of: .called, in: .always).unclosed == 1)
            #expect(try reader.ledgerCoverage(of: .served, in: .always).unaccounted == ByteFlow(up: 20, down: 0))
            #expect(try reader.ledgerCoverage(in: .always).unclosed == 1)
        }
    }

    @Test func clearingLeavesNothingOfWhatWasServed() throws {
        let folder = try Folder()
        let writer = try StoreWriter.open(folder.file())
        for exchange in exchanges() where exchange.end != nil { try writer.write(exchange.events) }
        try writer.clear()
        let reader = try StoreReader.open(folder.file())
        #expect(try reader.timeline(of: .served, in: .always, limit: 10) == .none)
        #expect(try reader.directions() == [.called])
    }

    @Test("what an earlier version wrote was called, and a server's exchange is added to it")
    func migration() throws {
        let folder = try Folder()
        let newer = try store(folder, "newer.db", exchanges().filter { $0.request.direction == .called })
        try EarlierStore.make(from: folder.file("newer.db"), at: folder.file(), upTo: "plain-columns")
        let reader = try StoreReader.open(folder.file())
        for grouping in TrafficGrouping.allCases {
            #expect(
                try Set(reader.totals(by: grouping, in: .always)) == Set(newer.totals(by: grouping, in: .always)))
        }
        #expect(try reader.exchanges() == newer.exchanges())
        var served = Sample.request(1)
        served.direction = .served
        let writer = try StoreWriter.open(folder.file())
        try writer.write([.request(served), .response(Sample.response(1)), .end(Sample.end(1))])
        try writer.close()
        let found = try reader.totals(by: .direction, in: .always).map {
            [$0.key.direction.rawValue, "\($0.requests)"]
        }
        let called = try newer.totals(by: .direction, in: .always).first?.requests ?? 0
        #expect(Set(found) == [["called", "\(called)"], ["served", "1"]])
    }

    @Test("neither an exchange nor a sum has a column for it, and a store without servers has no more rows")
    func size() throws {
        let folder = try Folder()
        _ = try store(folder, "called.db", exchanges().filter { $0.request.direction == .called })
        for table in ["exchange"] + StoreSchema.tiers {
            let names: [String] = try query(folder.file("called.db"), "SELECT name FROM pragma_table_info('\(table)')")
            #expect(!names.contains("direction") && names.count > 10, "\(table)")
        }
        let rows: [Int64] = try query(folder.file("called.db"), "SELECT count(*) FROM timeline_served")
        #expect(rows == [0])
        let kinds: [Int64] = try query(
            folder.file("called.db"), "SELECT count(*) - count(DISTINCT api || process || status || type) FROM kind")
        #expect(kinds == [0])
    }
}
