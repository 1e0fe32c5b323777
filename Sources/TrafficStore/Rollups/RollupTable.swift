import GRDB
internal import TrafficModel

/// One tier of the roll-ups, with the sums that are growing in memory.
///
/// Sums in memory are those of the table plus changes that ``write()`` has not written yet. After a rollback, or a
/// change of the table through another connection, the caller must call ``forget()``.
final class RollupTable {
    private static let leastPlaces = 4_096
    private let limit: Int
    private let find: PreparedStatement
    private let replace: PreparedStatement
    private let scan: PreparedStatement
    // The index of a sum plus 1; 0 if the place is free. At most half of the places are taken.
    @exclusivity(unchecked) private var table = [Int32](repeating: 0, count: leastPlaces)
    @exclusivity(unchecked) private var sums: [TrafficSums] = []
    @exclusivity(unchecked) private var keys: [RollupKey] = []
    @exclusivity(unchecked) private var changed: [Int] = []
    @exclusivity(unchecked) private var isChanged: [Bool] = []
    private let sink = ByteSink()

    /// The tier of that table.
    ///
    /// - Parameters:
    ///   - database: the store.
    ///   - table: the table's name.
    ///   - limit: the largest number of sums that stay in memory after a write.
    /// - Throws: an error if there is no such table.
    init(_ database: Database, table: String, limit: Int = 2_048) throws {
        self.limit = limit
        find = try PreparedStatement(
            database, "SELECT \(TrafficSums.columns) FROM \(table) WHERE slot = ? AND kind = ?")
        let marks = Array(repeating: "?", count: TrafficSums.columnCount + 2).joined(separator: ", ")
        replace = try PreparedStatement(
            database,
            // A row stays in its place, where there are row numbers.
            """
            INSERT INTO \(table)(slot, kind, \(TrafficSums.columns)) VALUES (\(marks))
            ON CONFLICT(slot, kind) DO UPDATE SET \(TrafficSums.assignments)
            """)
        scan = try PreparedStatement(database, "SELECT slot, kind FROM \(table) WHERE slot >= ? AND slot < ?")
    }

    /// Changes the sums of a key in memory; they are read from the table if they are not there.
    func change(_ key: RollupKey, _ body: (inout TrafficSums) -> Void) throws {
        body(&sums[try changing(key)])
    }

    /// Adds an exchange to the sums of a key in memory; they are read from the table if they are not there.
    func add(
        _ exchange: borrowing ExchangeFigures, endedBy end: borrowing EndFigures, to key: RollupKey
    ) throws {
        sums[try changing(key)].add(exchange, endedBy: end)
    }

    /// The index of the sums of a key, which are written next time.
    private func changing(_ key: RollupKey) throws -> Int {
        let index = try remembered(key) ?? load(key)
        if !isChanged[index] {
            isChanged[index] = true
            changed.append(index)
        }
        return index
    }

    /// Visits the written sums of the slots from `first` to before `end`.
    func forEach(from first: Int64, until end: Int64, _ body: (RollupKey, TrafficSums) throws -> Void) throws {
        scan.bind(1, first)
        scan.bind(2, end)
        while try scan.step() {
            let key = RollupKey(kind: scan.int(1), slot: scan.int(0))
            let sums: TrafficSums
            // What is in memory need not be read and decoded.
            if let index = remembered(key) {
                sums = self.sums[index]
            } else {
                bindFind(key)
                guard try find.step() else { continue }
                sums = TrafficSums(row: find, first: 0)
                find.reset()
            }
            try body(RollupKey(kind: key.kind, slot: Plausible.slot(key.slot)), sums)
        }
    }

    /// Writes the sums that were changed.
    func write() throws {
        for index in changed {
            replace.bind(1, keys[index].slot)
            replace.bind(2, keys[index].kind)
            sums[index].bind(to: replace, first: 3, sink: sink)
            try replace.runOnce()
            isChanged[index] = false
        }
        changed.removeAll(keepingCapacity: true)
        if isFull { forget() }
    }

    /// Whether there are more sums in memory than the limit.
    var isFull: Bool { sums.count > limit }

    /// Removes all sums from memory; changes that were not written are lost.
    func forget() {
        guard !sums.isEmpty else { return }
        table = [Int32](repeating: 0, count: Self.leastPlaces)
        sums.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        changed.removeAll(keepingCapacity: true)
        isChanged.removeAll(keepingCapacity: true)
    }

    private func remembered(_ key: RollupKey) -> Int? {
        var place = place(of: key)
        while table[place] != 0 {
            let index = Int(table[place]) - 1
            if keys[index].kind == key.kind, keys[index].slot == key.slot { return index }
            place = (place + 1) & (table.count - 1)
        }
        return nil
    }

    private func place(of key: RollupKey) -> Int {
        let mixed = UInt64(bitPattern: key.kind &* 31 &+ key.slot) &* 0x9E37_79B9_7F4A_7C15
        return Int(mixed >> 32) & (table.count - 1)
    }

    private func remember(_ index: Int) {
        var place = place(of: keys[index])
        while table[place] != 0 { place = (place + 1) & (table.count - 1) }
        table[place] = Int32(index + 1)
    }

    private func bindFind(_ key: RollupKey) {
        find.bind(1, key.slot)
        find.bind(2, key.kind)
    }

    private func load(_ key: RollupKey) throws -> Int {
        bindFind(key)
        if try find.step() {
            sums.append(TrafficSums(row: find, first: 0))
            find.reset()
        } else {
            sums.append(TrafficSums())
        }
        keys.append(key)
        isChanged.append(false)
        if sums.count * 2 > table.count {
            table = [Int32](repeating: 0, count: table.count * 2)
            for index in keys.indices { remember(index) }
        } else {
            remember(sums.count - 1)
        }
        return sums.count - 1
    }
}
