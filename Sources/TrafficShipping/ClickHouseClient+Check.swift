package import ClickHouse
internal import FleetTables
internal import RowBinary

extension ClickHouseClient {
    /// What the database lacks of a fleet's tables, a sentence each.
    package func missingTablesAndColumns() throws -> [String] {
        var found: [String: [String: String]] = [:]
        let database = url.database
        try forEachRow("SELECT table, name, type FROM system.columns WHERE database = \(database)") { row in
            let (table, name, type) = (row.text(), row.text(), row.text())
            found[table, default: [:]][name] = type
            return true
        }
        return FleetSchema.tables.flatMap { table -> [String] in
            guard let columns = found[table.name] else { return ["table \(table.name) is missing"] }
            return table.columns.filter { columns[$0.name] != $0.type }.map { name, type in
                "column \(table.name).\(name) "
                    + (columns[name].map { "is \($0) and not \(type)" }
                        ?? "is missing; add it: ALTER TABLE \(table.name) ADD COLUMN \(name) \(type)")
            }
        }
    }
}
