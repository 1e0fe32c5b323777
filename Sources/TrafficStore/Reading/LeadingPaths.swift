import Locks
internal import TrafficModel

/// Finds the first paths of a range in an order, and adds up them and the others.
///
/// The first pass over the rows finds the paths that come first, by one number for each path. If there are more paths than
/// numbers, the values of the others go to a file, of which further such passes are made. The last pass over the rows adds
/// up. Each pass over rows may be shared by several scans. See ``GroupRanking/leadingPaths(_:of:in:order:naming:)``.
final class LeadingPaths: Sendable {
    /// Up to how many paths several scans may add up: histograms of one path take 30 KB.
    private static let mostInSeveral = 200

    let most: Int
    let direction: TrafficDirection
    let range: TimeRange
    let order: GroupOrder
    let naming: @Sendable (String) -> String
    private let rangeLength: Int64
    private let ranking: Mutex<Ranking>
    private let first: Mutex<FirstNames>

    private struct Ranking: ~Copyable {
        var ranker: GroupRanker
        var leaving: Leaving

        mutating func add(_ values: [GroupRanker.Value]) { Self.add(values, to: &ranker, &leaving) }

        private static func add(_ values: [GroupRanker.Value], to ranker: inout GroupRanker, _ leaving: inout Leaving) {
            ranker.add(values) { leaving.add($0) }
        }
    }

    /// What a pass leaves to the next one.
    private struct Leaving: ~Copyable {
        private let folders: [String]
        private var values: [GroupRanker.Value] = []
        private var left: LeftValues?
        // In this pass; a file that is made later would lack what was left before.
        private var hasNoFile = false

        init(in folders: [String]) { self.folders = folders }

        mutating func add(_ value: GroupRanker.Value) {
            values.append(value)
            if values.count == 4_096 { passOn() }
        }

        private mutating func passOn() {
            guard !values.isEmpty else { return }
            if left == nil, !hasNoFile {
                left = LeftValues(in: folders)
                hasNoFile = left == nil
            }
            left?.append(values)
            values.removeAll(keepingCapacity: true)
        }

        /// What the pass that ends now has left; nil if there is nothing, or no file for it.
        mutating func take() -> LeftValues? {
            passOn()
            hasNoFile = false
            return left.take()
        }
    }

    /// - Parameters:
    ///   - most: the largest number of paths.
    ///   - direction: whether the exchanges that were called count, or those that were served.
    ///   - range: when they began.
    ///   - order: which paths are the first.
    ///   - rangeLength: how many exchanges' numbers a scan reads at once.
    ///   - room: how many numbers to keep.
    ///   - folders: where values may be left to later passes.
    ///   - naming: the name under which an authority counts.
    init(
        _ most: Int, of direction: TrafficDirection, in range: TimeRange, order: GroupOrder,
        rangeLength: Int64 = 16_384, room: Int = 2_000_000, folders: [String] = LeftValues.folders,
        naming: @escaping @Sendable (String) -> String
    ) {
        self.rangeLength = rangeLength
        self.most = most
        self.direction = direction
        self.range = range
        self.order = order
        self.naming = naming
        ranking = Mutex(
            Ranking(
                ranker: GroupRanker(most, by: order.weight, room: room), leaving: Leaving(in: folders)))
        first = Mutex(FirstNames(most))
    }

    /// The conditions of the exchanges.
    var query: ExchangeQuery {
        var filter = ExchangeFilter()
        filter.range = range
        return ExchangeQuery(filter)
    }

    /// Adds the values that a scan has read.
    func add(_ values: [GroupRanker.Value]) { ranking.withLock { $0.add(values) } }

    /// Adds the names that a scan has read.
    func add(_ names: FirstNames) { first.withLock { $0.merge(names) } }

    /// Ranks and adds up the exchanges in that range of numbers.
    ///
    /// - Parameters:
    ///   - all: the numbers.
    ///   - perform: does the same work in one scan, or in several at once on request, and returns what each of them
    ///     has found.
    /// - Returns: the totals.
    /// - Throws: the errors of the scans.
    func totals(
        _ all: ClosedRange<Int64>, _ perform: (_ inSeveral: Bool, @escaping PathScan.Work) throws -> [PathScan.Sums]
    ) throws -> LeadingTotals {
        ranking.withLock { $0.ranker.expect(all.count) }
        var left: LeftValues?
        repeat {
            if !rank(left.take()) {
                let ranges = SharedRanges(all, length: rangeLength)
                _ = try perform(true) { try $0.rank(ranges) }
            }
            left = ranking.withLock { $0.leaving.take() }
        } while ranking.withLock { $0.ranker.endPass() }
        let leaders =
            if case .name = order { first.withLock { $0.hashes } } else { ranking.withLock { $0.ranker.leaders } }
        let (ranges, index) = (SharedRanges(all, length: rangeLength), HashIndex(leaders))
        // Each scan has sums of its own.
        let sums = try perform(most <= Self.mostInSeveral) { try $0.sums(of: index, ranges) }
        let (rows, others) = PathScan.Sums.merged(sums)
        let groups = ranking.withLock { $0.ranker.groupCount }
        return LeadingTotals(rows: rows, otherGroups: groups - rows.count, others: others)
    }

    /// Ranks what the pass before has left; false if that is not there.
    private func rank(_ left: consuming LeftValues?) -> Bool {
        guard let left else { return false }
        if left.forEachPiece({ add($0) }) { return true }
        ranking.withLock {
            _ = $0.leaving.take()
            $0.ranker.beginPassAgain()
        }
        return false
    }
}

/// Ranges of exchanges' numbers, each of which one scan reads.
final class SharedRanges: Sendable {
    private let ranges: Mutex<SearchRanges>

    init(_ all: ClosedRange<Int64>, length: Int64) {
        ranges = Mutex(SearchRanges(all, .oldestFirst, .init(shortest: length, longest: length, forTwo: 0)))
    }

    /// The next range that no scan has begun.
    func next() -> ClosedRange<Int64>? { ranges.withLock { $0.next() } }
}

/// The places of hashes in a list.
struct HashIndex: Sendable {
    private var hashes: [UInt64]
    // 0 is a free place; no leader has this hash.
    private var places: [Int32]
    let count: Int

    init(_ list: [UInt64]) {
        count = list.count
        let size = max(16, (4 * list.count).roundedUpToPowerOfTwo)
        hashes = Array(repeating: 0, count: size)
        places = Array(repeating: 0, count: size)
        for (index, hash) in list.enumerated() {
            var place = Int(truncatingIfNeeded: hash >> 20) & (size - 1)
            while hashes[place] != 0 { place = (place + 1) & (size - 1) }
            hashes[place] = hash
            places[place] = Int32(index)
        }
    }

    /// The place of a hash; nil if it is not in the list.
    func place(of hash: UInt64) -> Int? {
        var place = Int(truncatingIfNeeded: hash >> 20) & (hashes.count - 1)
        while hashes[place] != 0 {
            if hashes[place] == hash { return Int(places[place]) }
            place = (place + 1) & (hashes.count - 1)
        }
        return nil
    }
}

extension Int {
    fileprivate var roundedUpToPowerOfTwo: Int { 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}

extension GroupOrder {
    var weight: GroupRanker.Weight {
        switch self {
        case .size, .sum, .name: .sum
        case .latest: .maximum
        case .percentile(let share, _), .weight(let share, _): .percentile(share)
        }
    }
}

/// The names that come first among any number of names.
struct FirstNames: Sendable {
    private let most: Int
    private var names: [UInt64: [String]] = [:]
    private var last: [String]?

    init(_ most: Int) { self.most = most }

    /// Adds a name under the hash by which the ranker knows it.
    mutating func add(_ name: PathNames, as hash: UInt64) {
        if names[hash] == nil { add(name.ordered, as: hash) }
    }

    /// Adds the first names of others.
    mutating func merge(_ other: FirstNames) {
        for (hash, name) in other.names where names[hash] == nil { add(name, as: hash) }
    }

    private mutating func add(_ ordered: [String], as hash: UInt64) {
        if let last, !ordered.lexicographicallyPrecedes(last) { return }
        names[hash] = ordered
        guard names.count >= max(1_024, 2 * most) else { return }
        let kept = names.sorted { $0.value.lexicographicallyPrecedes($1.value) }.prefix(most)
        last = kept.last?.value
        names = Dictionary(uniqueKeysWithValues: kept.map { ($0.key, $0.value) })
    }

    /// The hashes of the first names.
    var hashes: [UInt64] {
        names.sorted { $0.value.lexicographicallyPrecedes($1.value) }.prefix(most).map(\.key)
    }
}
