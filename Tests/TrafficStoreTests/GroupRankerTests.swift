import TestSupport
import Testing
import TrafficModel

@testable import TrafficStore

@Suite struct GroupRankerTests {
    /// A hash of a group's number, as well mixed as those of names.
    private func hash(_ group: Int) -> UInt64 { BlobDictionary.hash(of: Array("group \(group)".utf8)) }

    /// Adds all values pass by pass; the leaders, and how many passes it took.
    private func rank(
        _ values: [(group: Int, value: Int64?)], _ most: Int, by weight: GroupRanker.Weight, room: Int
    ) -> (leaders: [UInt64], passes: Int, groups: Int) {
        var ranker = GroupRanker(most, by: weight, room: room)
        var passes = 0
        repeat {
            passes += 1
            for (group, value) in values {
                if case .percentile = weight {
                    ranker.add(GroupRanker.Value(nanoseconds: value, in: hash(group)))
                } else {
                    ranker.add(GroupRanker.Value(value ?? 0, in: hash(group)))
                }
                #expect(ranker.keptCount < room)
            }
        } while ranker.endPass()
        return (ranker.leaders, passes, ranker.groupCount)
    }

    private func values(_ count: Int, groups: Int, seed: UInt64) -> [(group: Int, value: Int64?)] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            // The first groups have the most values.
            let group = min(
                Int.random(in: 0..<groups, using: &generator), Int.random(in: 0..<groups, using: &generator))
            let value = Int64.random(in: 0...5_000_000_000, using: &generator)
            return (group, value % 7 == 0 ? nil : value % 11 == 0 ? 0 : value)
        }
    }

    @Test("However little room there is, the leaders are those with the largest sums", arguments: [8, 100, 100_000])
    func sums(_ room: Int) {
        let values = values(5_000, groups: 400, seed: 1)
        var sums: [Int: Int64] = [:]
        for (group, value) in values { sums[group, default: 0] += value ?? 0 }
        let expected = sums.sorted { $0.value > $1.value }.prefix(20).map { hash($0.key) }
        let found = rank(values, 20, by: .sum, room: room)
        #expect(found.leaders == expected)
        #expect(found.groups == sums.count)
        #expect((found.passes > 1) == (room < sums.count))
    }

    @Test("A group is as recent as its latest value")
    func maxima() {
        let values = values(2_000, groups: 300, seed: 2)
        var latest: [Int: Int64] = [:]
        for (group, value) in values { latest[group] = max(latest[group] ?? 0, value ?? 0) }
        let expected = latest.sorted { $0.value > $1.value }.prefix(7).map { hash($0.key) }
        #expect(rank(values, 7, by: .maximum, room: 64).leaders == expected)
    }

    @Test(
        "Percentiles are those of the histograms, and groups without a duration come last",
        arguments: [8_192, 1_000_000])
    func percentiles(_ room: Int) {
        var values = values(30_000, groups: 3_000, seed: 3)
        values.append((10_000, nil))
        values.append((10_001, 0))
        var histograms: [Int: LatencyHistogram] = [:]
        for (group, value) in values {
            if let value { histograms[group, default: .init()].record(nanoseconds: value) }
        }
        let found = rank(values, 5_000, by: .percentile(0.95), room: room)
        let numbers = Dictionary(
            uniqueKeysWithValues: Set(values.map(\.group)).map {
                (GroupRanker(1, by: .percentile(0.95), room: 2).leader(of: hash($0)), $0)
            })
        let weights = found.leaders.map { numbers[$0].flatMap { histograms[$0]?.percentile(0.95) } ?? -1 }
        #expect(weights == weights.sorted(by: >))
        #expect(weights.count == numbers.count && found.groups == numbers.count)
        #expect(weights.contains(0) && weights.last == -1)
        #expect((found.passes > 1) == (room == 8_192))
    }

    @Test(
        "Of groups of equal weight the same come first, in whatever order their values come and however many passes it takes"
    )
    func ties() {
        let values: [(group: Int, value: Int64?)] = (0..<500).map { ($0, 1) }
        let found = rank(values, 10, by: .sum, room: 1_000).leaders
        #expect(found.count == 10)
        #expect(rank(values.reversed(), 10, by: .sum, room: 32).leaders == found)
    }

    @Test("Room for as many values as there are exchanges is enough for one pass") func expectation() {
        let values = values(20_000, groups: 60_000, seed: 4)
        var ranker = GroupRanker(20, by: .sum)
        ranker.expect(values.count)
        ranker.add(values.map { GroupRanker.Value($0.value ?? 0, in: hash($0.group)) })
        let needsAnother = ranker.endPass()
        #expect(!needsAnother)
        #expect(ranker.leaders == rank(values, 20, by: .sum, room: 100_000).leaders)
    }
}
