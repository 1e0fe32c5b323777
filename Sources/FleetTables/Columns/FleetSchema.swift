internal import RowBinary

/// The tables of a fleet's database.
package enum FleetSchema {
    /// A table by name, with the columns that it must have.
    package struct Table: Sendable {
        package let name: String
        package let columns: [(name: String, type: String)]
        /// What the engine puts into the columns that are not sent, by their names.
        package let defaults: [String: String]
        package let creation: String
        /// The statements that make it on a cluster.
        package let creations: @Sendable (FleetCluster) -> [String]
        /// The names of the columns that are sent, in order.
        package let sent: [String]
        private let types: [String: ColumnType]

        init<Row>(_ table: FleetTable<Row>) {
            name = table.name
            sent = table.columns.map(\.name)
            types = Dictionary(uniqueKeysWithValues: table.columns.map { ($0.name, $0.type) })
            columns = table.columns.map { ($0.name, $0.type.rawValue) } + table.arrival.map { ($0.name, $0.type) }
            defaults = Dictionary(uniqueKeysWithValues: table.arrival.map { ($0.name, $0.value) })
            creation = table.creation
            creations = { table.creations(on: $0) }
        }

        /// The types of columns by their names; nil if this version does not have one of them.
        package func types(of names: [String]) -> [ColumnType]? {
            let found = names.compactMap { types[$0] }
            return found.count == names.count ? found : nil
        }
    }

    /// All tables.
    package static let tables = [
        Table(FleetExchange.table), Table(FleetConnection.table), Table(FleetSums.table), Table(FleetTemplate.table),
        Table(FleetLoss.table), Table(FleetInstallation.table), Table(FleetFinding.table), Table(FleetAudit.table),
        Table(FleetSums.totals),
    ]

    /// The statements that make all tables, for `clickhouse-client --multiquery`.
    package static var sql: String { tables.map { $0.creation + ";\n" }.joined(separator: "\n") }

    /// The statements that make all tables on each server of a cluster, sent to one of them.
    package static func sql(on cluster: FleetCluster) -> String {
        tables.flatMap { $0.creations(cluster) }.map { $0 + ";\n" }.joined(separator: "\n")
    }

    /// The statements by which the engine deletes rows of that age, by the day of their arrival.
    package static func deletion(afterDays days: Int, on cluster: FleetCluster? = nil) -> String {
        [
            ("exchange", days), ("connection", days), ("sums", 12 * days), ("finding", 12 * days), ("audit", 12 * days),
        ].map { table, days in
            let place = cluster.map { "\($0.qualified(FleetCluster.shardTable(table))) ON CLUSTER '\($0.name)'" }
            return "ALTER TABLE \(place ?? table) MODIFY TTL received + INTERVAL \(days) DAY;\n"
        }.joined()
    }
}
