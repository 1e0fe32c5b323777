import Foundation
internal import TrafficModel

/// Finds the groups with the greatest weights among any number of groups, in bounded memory.
///
/// It keeps one number for each group, under the hash of the group's name. If there are more groups than it has room
/// for, it keeps those with the lower hashes, and asks for another pass for the others: over the same values, or over those
/// that it has left, which are fewer. Equal hashes of two names can make both of them leaders, but no more: the
/// caller adds up by name.
///
/// For percentiles it counts durations by group and histogram bucket instead. The bucket replaces the lowest bits of the
/// hash, so that the sorted keys are the groups' histograms.
struct GroupRanker: ~Copyable {
    /// How values make a weight.
    enum Weight {
        case sum
        case maximum
        /// The share is from 0 to 1.
        case percentile(Double)

        /// The hash under which ``GroupRanker/leaders`` has a group.
        func leader(of hash: UInt64) -> UInt64 {
            if case .percentile = self { GroupRanker.name(hash) } else { max(1, hash) }
        }
    }

    private struct Entry {
        /// 0 if the place is free.
        var key: UInt64
        var value: Int64
    }

    private struct Leader {
        var weight: Int64
        var hash: UInt64

        func precedes(_ other: Leader) -> Bool {
            weight != other.weight ? weight > other.weight : hash < other.hash
        }
    }

    fileprivate static let bucketBits: UInt64 = 12
    private static let bucketMask: UInt64 = 1 << bucketBits - 1
    fileprivate static let noBucket = bucketMask
    // Buckets below 0 hold durations of less than a second.
    fileprivate static let middleBucket = 2_048

    private let most: Int
    private let weight: Weight
    private var entries: UnsafeMutableBufferPointer<Entry>
    private var room: Int
    private var count = 0
    // The hashes of this pass.
    private var lowest: UInt64 = 1
    private var highest = UInt64.max
    private var best: [Leader] = []
    /// How many groups the passes so far have found.
    private(set) var groupCount = 0

    /// - Parameters:
    ///   - most: how many leaders to find.
    ///   - weight: how values make a weight.
    ///   - room: how many numbers to keep; 18 bytes each. For percentiles at least 8,192.
    init(_ most: Int, by weight: Weight, room: Int = 2_000_000) {
        self.most = most
        self.weight = weight
        // The buckets of one group stay together, so there must be room for those.
        if case .percentile = weight {
            self.room = max(2 << Int(Self.bucketBits), room)
        } else {
            self.room = max(2, room)
        }
        entries = Self.places(for: self.room)
    }

    // A tenth stays free. When all others are taken, a search for a new key reads some fifty neighbouring places.
    private static func places(for room: Int) -> UnsafeMutableBufferPointer<Entry> {
        let places = room + room / 9 + 1
        let memory = calloc(places, MemoryLayout<Entry>.stride)!
        return UnsafeMutableBufferPointer(start: memory.bindMemory(to: Entry.self, capacity: places), count: places)
    }

    /// Makes less room if there will not be more values than that; before the first value.
    mutating func expect(_ values: Int) {
        guard count == 0, values < room - 1 else { return }
        room = max(2 << Int(Self.bucketBits), values + 2)
        free(entries.baseAddress)
        entries = Self.places(for: room)
    }

    deinit { free(entries.baseAddress) }

    /// The number of numbers that are kept; never more than the room.
    var keptCount: Int { count }

    /// The hashes of the leaders, the first ones first; complete after the last pass.
    var leaders: [UInt64] { best.sorted { $0.precedes($1) }.prefix(most).map(\.hash) }

    /// A value of an exchange in a group.
    struct Value {
        fileprivate let key: UInt64
        fileprivate let value: Int64

        /// A value for sums and maxima.
        init(_ value: Int64, in hash: UInt64) { self.init(key: max(1, hash), value: value) }

        /// A duration for percentiles; nil if the exchange has none.
        init(nanoseconds: Int64?, in hash: UInt64) {
            self.init(
                bucket: nanoseconds.map {
                    $0 > 0 ? LatencyHistogram.bucket(seconds: Double($0) * 1e-9) : -GroupRanker.middleBucket
                }, in: hash)
        }

        /// A call's bytes for percentiles; nil if the call is unfinished.
        init(bytes: Int64?, in hash: UInt64) { self.init(bucket: bytes.map(ByteHistogram.bucket), in: hash) }

        private init(bucket: Int?, in hash: UInt64) {
            let index = bucket.map {
                UInt64(clamping: min(max($0 + GroupRanker.middleBucket, 0), Int(GroupRanker.noBucket) - 1))
            }
            self.init(key: GroupRanker.name(hash) | (index ?? GroupRanker.noBucket), value: 1)
        }

        fileprivate init(key: UInt64, value: Int64) {
            self.key = key
            self.value = value
        }
    }

    /// The hash under which ``leaders`` has a group.
    func leader(of hash: UInt64) -> UInt64 { weight.leader(of: hash) }

    fileprivate static func name(_ hash: UInt64) -> UInt64 { max(1, hash >> bucketBits) << bucketBits }

    /// Adds values, in any order.
    ///
    /// - Parameters:
    ///   - values: the values.
    ///   - leave: gets those that are left to later passes, equal groups partly added up.
    mutating func add(_ values: some Sequence<Value>, _ leave: (Value) -> Void = { _ in }) {
        for value in values { add(value, leave) }
    }

    /// Adds a value.
    mutating func add(_ added: Value, _ leave: (Value) -> Void = { _ in }) {
        guard added.key <= highest else { return leave(added) }
        guard added.key >= lowest else { return }
        let place = place(of: added.key)
        if entries[place].key == added.key {
            if case .maximum = weight {
                entries[place].value = max(entries[place].value, added.value)
            } else {
                entries[place].value &+= added.value
            }
            return
        }
        entries[place] = Entry(key: added.key, value: added.value)
        count += 1
        if count >= room { leaveSomeToLaterPasses(leave) }
    }

    /// The place of a key, or the free place where it belongs.
    private func place(of key: UInt64) -> Int {
        var place = firstPlace(of: key)
        while entries[place].key != 0, entries[place].key != key {
            place += 1
            if place == entries.count { place = 0 }
        }
        return place
    }

    private func firstPlace(of key: UInt64) -> Int {
        Int((key &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: UInt64(entries.count)).high)
    }

    private mutating func leaveSomeToLaterPasses(_ leave: (Value) -> Void) {
        while count >= room, highest > lowest {
            highest = lowest + (highest - lowest) / 2
            // The buckets of one group stay together.
            if case .percentile = weight { highest |= Self.bucketMask }
            for place in entries.indices {
                while entries[place].key > highest {
                    leave(Value(key: entries[place].key, value: entries[place].value))
                    remove(place)
                }
            }
        }
    }

    // Moves the entries after a place back, as far as they belong before it.
    private mutating func remove(_ removed: Int) {
        var (free, next) = (removed, removed)
        while true {
            next += 1
            if next == entries.count { next = 0 }
            guard entries[next].key != 0 else { break }
            let own = firstPlace(of: entries[next].key)
            let stays = free <= next ? free < own && own <= next : free < own || own <= next
            if stays { continue }
            entries[free] = entries[next]
            free = next
        }
        entries[free] = Entry(key: 0, value: 0)
        count -= 1
    }

    /// Begins this pass again.
    mutating func beginPassAgain() {
        entries.update(repeating: Entry(key: 0, value: 0))
        count = 0
        highest = .max
    }

    /// Ends a pass; whether another one is needed.
    ///
    /// If not, no values may be added any more.
    mutating func endPass() -> Bool {
        var end = 0
        for place in entries.indices where entries[place].key != 0 {
            entries[end] = entries[place]
            end += 1
        }
        var found = UnsafeMutableBufferPointer(rebasing: entries[..<end])
        if case .percentile(let share) = weight {
            found.sort { $0.key < $1.key }
            var first = 0
            while first < end {
                let name = found[first].key & ~Self.bucketMask
                let last = found[first...].firstIndex { $0.key & ~Self.bucketMask != name } ?? end
                offer(Leader(weight: Self.percentile(share, of: found[first..<last]), hash: name))
                first = last
            }
        } else {
            for entry in found { offer(Leader(weight: entry.value, hash: entry.key)) }
        }
        guard highest < .max else {
            // Nothing is added any more, and the last pass needs memory for what it adds up.
            free(entries.baseAddress)
            entries = UnsafeMutableBufferPointer(start: nil, count: 0)
            return false
        }
        entries.update(repeating: Entry(key: 0, value: 0))
        count = 0
        (lowest, highest) = (highest + 1, .max)
        return true
    }

    /// The bucket of a group's percentile; -1 if the group has no durations.
    private static func percentile(_ share: Double, of buckets: Slice<UnsafeMutableBufferPointer<Entry>>) -> Int64 {
        let counted = buckets.prefix { $0.key & bucketMask != noBucket }
        let rank = max(1, Int64(clamping: (share * Double(counted.reduce(0) { $0 &+ $1.value })).rounded(.up)))
        var seen: Int64 = 0
        for entry in counted {
            seen &+= entry.value
            if seen >= rank { return Int64(entry.key & bucketMask) }
        }
        return -1
    }

    private mutating func offer(_ leader: Leader) {
        groupCount += 1
        best.append(leader)
        guard best.count >= max(1_024, 2 * most) else { return }
        best.sort { $0.precedes($1) }
        best.removeLast(best.count - most)
    }
}
