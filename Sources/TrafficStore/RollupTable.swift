import GRDB

/// One tier of the rollups.
struct RollupTable {
    private let find: PreparedStatement
    private let replace: PreparedStatement

    /// The tier in that table.
    init(_ database: Database, table: String) throws {
        find = try PreparedStatement(
            database, "SELECT \(Rollup.columns) FROM \(table) WHERE slot = ? AND api = ?")
        let marks = Array(repeating: "?", count: Rollup.columnCount + 2).joined(separator: ", ")
        replace = try PreparedStatement(
            database, "INSERT OR REPLACE INTO \(table)(slot, api, \(Rollup.columns)) VALUES (\(marks))")
    }

    /// Adds sums to what is there.
    func add(_ sums: [Rollup.Key: Rollup]) throws {
        for (key, sum) in sums {
            var sum = sum
            find.bind(1, key.slot)
            find.bind(2, key.api)
            if try find.step() {
                sum.merge(Rollup(row: find, first: 0))
                find.reset()
            }
            replace.bind(1, key.slot)
            replace.bind(2, key.api)
            sum.bind(to: replace, first: 3)
            try replace.run()
        }
    }
}
