import GRDB

/// One tier of the rollups, with the sums that grow at present in memory.
///
/// What is in memory is what is in the table plus what ``write()`` has yet to write. Whoever changes the table through
/// another connection, or rolls back, must have ``forget()`` called here.
final class RollupTable {
    private static let cacheLimit = 2_048
    private let find: PreparedStatement
    private let replace: PreparedStatement
    private var places: [Rollup.Key: Int] = [:]
    private var sums: [Rollup] = []
    private var keys: [Rollup.Key] = []
    private var isChanged: [Bool] = []

    /// The tier in that table.
    init(_ database: Database, table: String) throws {
        find = try PreparedStatement(
            database, "SELECT \(Rollup.columns) FROM \(table) WHERE slot = ? AND api = ?")
        let marks = Array(repeating: "?", count: Rollup.columnCount + 2).joined(separator: ", ")
        replace = try PreparedStatement(
            database, "INSERT OR REPLACE INTO \(table)(slot, api, \(Rollup.columns)) VALUES (\(marks))")
    }

    /// Changes the sums of a key in memory.
    func change(_ key: Rollup.Key, _ body: (inout Rollup) -> Void) throws {
        let place = try places[key] ?? load(key)
        isChanged[place] = true
        body(&sums[place])
    }

    /// Writes what was changed.
    func write() throws {
        for place in sums.indices where isChanged[place] {
            replace.bind(1, keys[place].slot)
            replace.bind(2, keys[place].api)
            sums[place].bind(to: replace, first: 3)
            try replace.run()
            isChanged[place] = false
        }
        if sums.count > Self.cacheLimit { forget() }
    }

    /// Empties the memory; what was not written is gone.
    func forget() {
        places.removeAll(keepingCapacity: true)
        sums.removeAll(keepingCapacity: true)
        keys.removeAll(keepingCapacity: true)
        isChanged.removeAll(keepingCapacity: true)
    }

    private func load(_ key: Rollup.Key) throws -> Int {
        find.bind(1, key.slot)
        find.bind(2, key.api)
        if try find.step() {
            sums.append(Rollup(row: find, first: 0))
            find.reset()
        } else {
            sums.append(Rollup())
        }
        keys.append(key)
        isChanged.append(false)
        places[key] = sums.count - 1
        return sums.count - 1
    }
}
