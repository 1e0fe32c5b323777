/// A type of a column; all of them exist in ClickHouse since 2018.
package enum ColumnType: String, Sendable {
    case uuid = "UUID"
    case int64 = "Int64"
    case int32 = "Int32"
    case uint64 = "UInt64"
    case uint16 = "UInt16"
    case uint8 = "UInt8"
    case float64 = "Float64"
    case string = "String"
    /// A text that has few different values.
    case label = "LowCardinality(String)"
    case optionalInt64 = "Nullable(Int64)"
    case optionalUInt64 = "Nullable(UInt64)"
    case optionalString = "Nullable(String)"
    case int16s = "Array(Int16)"
    case int64s = "Array(Int64)"
}
