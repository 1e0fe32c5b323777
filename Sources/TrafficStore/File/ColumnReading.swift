/// The columns of a row.
protocol ColumnReading {
    /// The value of an integer column; 0 for NULL.
    func int(_ column: Int32) -> Int64
    /// Whether a column is NULL.
    func isNull(_ column: Int32) -> Bool
    /// The bytes of a column in SQLite's memory, valid until the next row; empty for NULL.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer
}

extension ColumnReading {
    /// The value of an integer column; nil for NULL.
    @inline(__always)
    func optionalInt(_ column: Int32) -> Int64? {
        // NULL is 0 as an integer, so most values need no look at their type.
        let value = int(column)
        return value == 0 && isNull(column) ? nil : value
    }
}
