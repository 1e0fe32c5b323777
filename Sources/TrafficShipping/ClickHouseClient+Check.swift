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
        let missing = FleetSchema.tables.flatMap { table -> [String] in
            guard found[table.name] != nil else { return ["table \(table.name) is missing"] }
            // On a cluster, the rows are in a table of each shard.
            return [FleetCluster.shardTable(table.name), table.name].flatMap { place -> [String] in
                guard let columns = found[place] else { return [] }
                return table.columns.filter { columns[$0.name] != $0.type }.map { name, type in
                    "column \(place).\(name) "
                        + (columns[name].map { "is \($0) and not \(type)" }
                            ?? "is missing; add it: ALTER TABLE \(place) ADD COLUMN \(name) \(type)"
                            + (table.defaults[name].map { " DEFAULT \($0)" } ?? ""))
                }
            }
        }
        let isCluster = FleetSchema.tables.contains { found[FleetCluster.shardTable($0.name)] != nil }
        return try missing + (isCluster ? settingsOfCluster() : [])
    }

    // Without the first, a server acknowledges rows before the shard has them; without the second, a query that asks two
    // tables fails. Newer servers know the first by another name, and that one, too.
    private func settingsOfCluster() throws -> [String] {
        var values: [String: String] = [:]
        let needed = ["insert_distributed_sync": "1", "distributed_product_mode": "local"]
        try forEachRow(
            """
            SELECT name, value FROM system.settings
            WHERE name IN ('insert_distributed_sync', 'distributed_product_mode')
            """
        ) { row in
            let (name, value) = (row.text(), row.text())
            values[name] = value
            return true
        }
        return needed.sorted { $0.key < $1.key }.filter { values[$0.key] != $0.value }.map { name, value in
            "setting \(name) is \(values[name] ?? "not known") for this user; on a cluster it must be \(value), in the profile of "
                + "those who ship and of those who read"
        }
    }
}
