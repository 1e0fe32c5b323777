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

/// A histogram whose buckets are two columns: their numbers, in that with the name and `_bucket`, and their counts.
package struct FleetHistogram<Row>: Sendable {
    /// The name without its end.
    package let name: String
    /// Adds a count to a bucket.
    package let add: @Sendable (_ row: inout Row, _ bucket: Int, _ count: Int64) -> Void
}
