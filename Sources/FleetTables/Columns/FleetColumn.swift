internal import RowBinary

/// A column of a table.
package struct FleetColumn: Hashable, Sendable {
    /// The name in SQL.
    package let name: String
    /// The type in SQL.
    package let type: ColumnType

    init(_ name: String, _ type: ColumnType) {
        self.name = name
        self.type = type
    }
}

/// A part of a row: the columns that hold it, how it is written and how it is read.
struct FleetField<Row>: Sendable {
    /// The columns.
    let columns: [FleetColumn]
    /// How the columns are added up over many rows.
    let aggregates: [Aggregate]
    /// Writes the values of a row.
    let write: @Sendable (_ row: inout Row, _ writer: inout RowBinaryWriter) -> Void
    /// Reads the values into a row.
    let read: @Sendable (_ row: inout Row, _ reader: inout RowBinaryReader) -> Void
}

/// A histogram whose buckets are two columns: their numbers, in that with the name and `_bucket`, and their counts.
package struct FleetHistogram<Row>: Sendable {
    /// The name without its end.
    package let name: String
    /// Adds a count to a bucket.
    package let add: @Sendable (_ row: inout Row, _ bucket: Int, _ count: Int64) -> Void
}
