package import RowBinary

/// A row of a table, by which the table is described.
package protocol FleetRow: Sendable {
    /// The table, with the columns in the order in which rows are written and read.
    static var table: FleetTable<Self> { get }

    /// Where the row comes from.
    var origin: FleetOrigin { get set }

    /// A row to read into.
    init()
}

/// A table of a fleet's database: one list of columns, from which its SQL, what is sent and what is read follow.
package struct FleetTable<Row: FleetRow>: Sendable {
    /// The name in SQL.
    package let name: String
    /// The columns that are sent.
    package let columns: [FleetColumn]
    private let fields: [FleetField<Row>]
    /// The histograms of a row.
    let histograms: [FleetHistogram<Row>]
    // Apart from the rest of a field, which would be retained for each value.
    private let writes: [@Sendable (_ row: inout Row, _ writer: inout RowBinaryWriter) -> Void]
    /// The columns by which rows are sorted, and by which a row replaces an earlier one.
    package let key: [String]

    package init(name: String, key: [String], _ list: (inout FieldList<Row>) -> Void) {
        var fields = FieldList<Row>()
        list(&fields)
        self.name = name
        self.key = key
        self.fields = fields.fields
        histograms = fields.histograms
        writes = self.fields.map(\.write)
        columns = self.fields.flatMap(\.columns)
    }

    /// The names of the columns, in order, separated by commas.
    package var columnList: String { columns.map(\.name).joined(separator: ", ") }

    /// How the columns are added up over many rows.
    var aggregates: [Aggregate] { fields.flatMap(\.aggregates) }

    /// The statement whose body are rows of this table.
    package var insertion: String { "INSERT INTO \(name) (\(columnList)) FORMAT RowBinary" }

    /// The statement that makes the table.
    ///
    /// Rows are partitioned by the week in which they arrived, and never by a sender's clock, which may be wrong. Of
    /// rows with the same key the one with the highest revision counts, so a row that is sent twice counts once.
    package var creation: String { creation(of: name, engine: "ReplacingMergeTree(revision)") }

    /// The statements that make the table on a cluster: the rows of a shard on each of its replicas, and the table itself,
    /// which is in all shards.
    ///
    /// All rows of an installation are in one shard, so that a row replaces an earlier one wherever it is sent to.
    package func creations(on cluster: FleetCluster) -> [String] {
        let shard = FleetCluster.shardTable(name)
        let keeper = "/wireweight/\(cluster.database)/\(name)/{shard}"
        let rows = creation(
            of: "\(cluster.qualified(shard)) ON CLUSTER '\(cluster.name)'",
            engine: "ReplicatedReplacingMergeTree('\(keeper)', '{replica}', revision)")
        // Servers of 2018 have no hash of a UUID.
        let whole = """
            CREATE TABLE IF NOT EXISTS \(cluster.qualified(name)) ON CLUSTER '\(cluster.name)' AS \(cluster.qualified(shard))
            ENGINE = Distributed('\(cluster.name)', '\(cluster.database)', '\(shard)', cityHash64(toString(installation)))
            """
        return [rows, whole]
    }

    private func creation(of table: String, engine: String) -> String {
        let columns = columns.map { "    \($0.name) \($0.type.rawValue)," }.joined(separator: "\n")
        return """
            CREATE TABLE IF NOT EXISTS \(table) (
            \(columns)
                received Date DEFAULT today()
            ) ENGINE = \(engine) PARTITION BY toMonday(received) ORDER BY (\(key.joined(separator: ", ")))
            """
    }

    /// Writes a row.
    package func write(_ row: consuming Row, to writer: inout RowBinaryWriter) {
        writes.withUnsafeBufferPointer { writes in
            // An iterator would copy each closure by its metadata.
            for place in 0..<writes.count { writes[place](&row, &writer) }
        }
    }

    /// Reads a row of the columns in ``columnList``; whether it was there, the reader says afterwards.
    package func read(_ reader: inout RowBinaryReader) -> Row {
        var row = Row()
        for field in fields { field.read(&row, &reader) }
        return row
    }
}
