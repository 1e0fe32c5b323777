package import RowBinary

/// A row of a table, by which the table is described.
package protocol FleetRow: Sendable {
    /// The table.
    static var table: FleetTable<Self> { get }

    /// Where the row comes from.
    var origin: FleetOrigin { get set }

    /// A row to read into.
    init()

    /// Goes through all fields, in the order of the columns.
    static func visit<Visitor: FieldVisitor<Self> & ~Copyable>(_ fields: inout Visitor)

    /// Writes the row, which stays as it is.
    ///
    /// A requirement, because only then there is code for the row's own type and not for any.
    mutating func write(to writer: inout RowBinaryWriter)

    /// Reads a row; whether it was there, the reader says afterwards.
    init(from reader: inout RowBinaryReader)
}

extension FleetRow {
    package mutating func write(to writer: inout RowBinaryWriter) {
        withUnsafeMutablePointer(to: &self) {
            var writing = RowWriting(row: $0, writer: writer)
            Self.visit(&writing)
            writer = writing.writer
        }
    }

    package init(from reader: inout RowBinaryReader) {
        var reading = RowReading(row: Self(), reader: reader)
        Self.visit(&reading)
        reader = reading.reader
        self = reading.row
    }
}

/// A table of a fleet's database: one list of columns, from which its SQL, what is sent and what is read follow.
package struct FleetTable<Row: FleetRow>: Sendable {
    /// The name in SQL.
    package let name: String
    /// The columns that are sent.
    package let columns: [FleetColumn]
    /// The columns by which rows are sorted, and by which a row replaces an earlier one.
    package let key: [String]
    /// The columns that the engine fills as rows arrive, with their types and defaults.
    package let arrival: [(name: String, type: String, value: String)]

    /// Describes a table.
    ///
    /// - Parameters:
    ///   - name: the name in SQL.
    ///   - key: the columns by which rows are sorted, and by which a row replaces an earlier one.
    ///   - keepsMoment: whether rows have the moment of their arrival beside its day.
    package init(name: String, key: [String], keepsMoment: Bool = false) {
        self.name = name
        self.key = key
        arrival = [("received", "Date", "today()")] + (keepsMoment ? [("arrived", "DateTime", "now()")] : [])
        var fields = ColumnCollection<Row>()
        Row.visit(&fields)
        columns = fields.columns
    }

    /// The names of the columns, in order, separated by commas.
    package var columnList: String { columns.map(\.name).joined(separator: ", ") }

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
        let columns =
            columns.map { "    \($0.name) \($0.type.rawValue)" }
            + arrival.map { "    \($0.name) \($0.type) DEFAULT \($0.value)" }
        return """
            CREATE TABLE IF NOT EXISTS \(table) (
            \(columns.joined(separator: ",\n"))
            ) ENGINE = \(engine) PARTITION BY toMonday(received) ORDER BY (\(key.joined(separator: ", ")))
            """
    }

    /// Writes a row.
    package func write(_ row: consuming Row, to writer: inout RowBinaryWriter) { row.write(to: &writer) }

    /// Reads a row of the columns in ``columnList``; whether it was there, the reader says afterwards.
    package func read(_ reader: inout RowBinaryReader) -> Row { Row(from: &reader) }
}
