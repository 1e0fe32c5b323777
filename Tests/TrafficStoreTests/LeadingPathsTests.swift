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
        (.size(.total), { $0.bytes.bytes }), (.size(.up), { $0.up.total.bytes }),
        (.size(.down), { $0.down.total.bytes }),
        (.size(.fields), { ($0.up.fields + $0.down.fields).bytes }),
        (.size(.cookies), { ($0.up.cookies + $0.down.cookies).bytes }), (.size(.requests), { $0.requests }),
        (.sum { figures, end in figures.hasFailed(with: end) ? 1 : 0 }, { $0.failures }),
        (.percentile(0.95) { $0.total }, { $0.latency.percentile(0.95) ?? -1 }),
        (.percentile(0.5) { $0.dns }, { $0.phases.dns.percentile(0.5) ?? -1 }),
        (.latest, { $0.lastSeen?.nanoseconds ?? 0 }),
    ]

    @Test(
        "The first paths have exact sums, and the rest is the sum of the others", arguments: orders.indices,
        [1, 3, 16, 100])
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

    @Test("Two connections add up to what one does, in each order", arguments: orders.indices, [5, 1_000])
    func twoConnections(_ order: Int, _ most: Int) throws {
        let folder = try Folder()
        let reader = try reader(folder)
        func leading(forTwo: Int) throws -> LeadingTotals {
            let paths = LeadingPaths(most, of: .called, in: .always, order: Self.orders[order].0, rangeLength: 40) {
                $0
            }
            return try reader.leadingPaths(paths, forTwo: forTwo)
        }
        let (one, two) = (try leading(forTwo: .max), try leading(forTwo: 1))
        #expect(Set(one.rows) == Set(two.rows))
        #expect(one.others == two.others)
        #expect(one.otherGroups == two.otherGroups)
        #expect(one.rows.reduce(one.others.requests) { $0 + $1.requests } == 700)
    }

    @Test(
        "With room for few of the paths the totals are the same, also where nothing can be left to a later pass",
        arguments: orders.indices)
    func fewAtOnce(_ order: Int) throws {
        let folder = try Folder()
        let reader = try reader(folder)
        func leading(_ room: Int, _ folders: [String], forTwo: Int = 1) throws -> LeadingTotals {
            let paths = LeadingPaths(
                5, of: .called, in: .always, order: Self.orders[order].0, rangeLength: 40, room: room, folders: folders
            ) { $0 }
            return try reader.leadingPaths(paths, forTwo: forTwo)
        }
        let all = try leading(100_000, [])
        for folders in [LeftValues.folders, [], ["/nowhere"]] {
            for forTwo in [1, .max] {
                let few = try leading(6, folders, forTwo: forTwo)
                #expect(Set(few.rows) == Set(all.rows))
                #expect(few.others == all.others)
                #expect(few.otherGroups == all.otherGroups)
            }
        }
    }

    @Test("Of two paths with the same hash, the one with the first exchange leads, whichever connection has found it")
    func equalHashes() {
        func leader(_ name: String, first: Int64, requests: Int64) -> PathScan.Leader {
            var total = TrafficTotal(key: TrafficTotal.Key(path: name))
            total.sums.requests = requests
            return PathScan.Leader(name: Array(name.utf8), first: first, total: total)
        }
        var (one, two) = (PathScan.Sums(), PathScan.Sums())
        one.leaders = [[leader("/a", first: 3, requests: 2), leader("/b", first: 5, requests: 8)], []]
        two.leaders = [[leader("/b", first: 2, requests: 4)], [leader("/c", first: 9, requests: 1)]]
        two.others.requests = 16
        for parts in [[one, two], [two, one]] {
            let (leaders, others) = PathScan.Sums.merged(parts)
            #expect(leaders.map(\.key.path) == ["/b", "/c"])
            #expect(leaders.map(\.requests) == [12, 1])
            #expect(others.requests == 18)
        }
    }
}
