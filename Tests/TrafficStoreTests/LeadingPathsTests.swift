import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct LeadingPathsTests {
    /// 700 exchanges with 16 paths.
    private func reader(_ folder: borrowing Folder) throws -> StoreReader {
        let traffic = RandomTraffic(seed: 5, count: 700, span: 3_600_000)
        let writer = try StoreWriter.open(folder.file())
        for batch in traffic.batches { try writer.write(batch) }
        return try StoreReader.open(folder.file())
    }

    /// Orders, and the weight of a total by each.
    private static let orders: [(GroupOrder, @Sendable (TrafficTotal) -> Int64)] = [
        (.size { figures in (figures.up.known + figures.down.known).bytes }, { $0.bytes.bytes }),
        (.sum { figures, end in figures.hasFailed(end) ? 1 : 0 }, { $0.failures }),
        (.percentile(0.95) { $0.total }, { $0.latency.percentile(0.95) ?? -1 }),
        (.percentile(0.5) { $0.dns }, { $0.phases.dns.percentile(0.5) ?? -1 }),
        (.latest, { $0.lastSeen?.nanoseconds ?? 0 }),
    ]

    @Test("The first paths have exact sums, and the rest is the sum of the others", arguments: 0..<5, [1, 3, 16, 100])
    func firstPaths(_ order: Int, _ most: Int) throws {
        let folder = try Folder()
        let reader = try reader(folder)
        let (order, weight) = Self.orders[order]
        let all = try reader.totals(by: .path, in: .always)
        #expect(all.count == 16)
        let leading = try reader.leadingPaths(most, of: .called, in: .always, order: order) { $0 }
        #expect(leading.rows.count == min(most, 16))
        #expect(leading.otherGroups == all.count - leading.rows.count)
        #expect(Set(leading.rows).isSubset(of: all))
        #expect(leading.rows.map(weight).sorted(by: >) == all.map(weight).sorted(by: >).prefix(most).map(\.self))
        var rest = TrafficSums()
        for total in Set(all).subtracting(leading.rows) { rest.merge(total.sums) }
        #expect(leading.others == rest)
    }

    @Test("By name the first are those from A to Z")
    func names() throws {
        let folder = try Folder()
        let reader = try reader(folder)
        func name(_ total: TrafficTotal) -> [String] {
            [total.key.host ?? "", total.key.path ?? "", total.key.method ?? ""]
        }
        let names = try reader.totals(by: .path, in: .always).map(name).sorted { $0.lexicographicallyPrecedes($1) }
        let leading = try reader.leadingPaths(5, of: .called, in: .always, order: .name) { $0 }
        #expect(leading.rows.map(name).sorted { $0.lexicographicallyPrecedes($1) } == Array(names.prefix(5)))
        #expect(leading.otherGroups == 11)
    }

    @Test("Authorities of one name are one, and a range leaves the others out")
    func namingAndRange() throws {
        let folder = try Folder()
        let reader = try reader(folder)
        let leading = try reader.leadingPaths(100, of: .called, in: .always, order: .latest) { _ in "all" }
        #expect(leading.rows.count == 8)
        #expect(Set(leading.rows.map(\.key.host)) == ["all"])
        #expect(leading.rows.reduce(0) { $0 + $1.requests } == 700)
        let range = TimeRange(until: Sample.moment(1_800_000))
        let half = try reader.leadingPaths(3, of: .called, in: range, order: .latest) { $0 }
        let counted = half.rows.reduce(half.others.requests) { $0 + $1.requests }
        #expect(counted == (try reader.totals(by: .path, in: range).reduce(0) { $0 + $1.requests }))
        #expect((1..<700).contains(counted))
    }
}
