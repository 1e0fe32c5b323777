/// The tables of a fleet's database.
package enum FleetSchema {
    /// A table by name, with the columns that it must have.
    package struct Table: Sendable {
        package let name: String
        package let columns: [(name: String, type: String)]
        package let creation: String

        init<Row>(_ table: FleetTable<Row>) {
            name = table.name
            columns = table.columns.map { ($0.name, $0.type.rawValue) } + [("received", "Date")]
            creation = table.creation
        }
    }

    /// All tables.
    package static let tables = [
        Table(FleetExchange.table), Table(FleetConnection.table), Table(FleetSums.table), Table(FleetTemplate.table),
        Table(FleetLoss.table), Table(FleetInstallation.table),
    ]

    /// The statements that make all tables, for `clickhouse-client --multiquery`.
    package static var sql: String { tables.map { $0.creation + ";\n" }.joined(separator: "\n") }
}
