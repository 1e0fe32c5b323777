package import RowBinary

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

extension RowBinaryReader {
    /// Goes past a row of columns of those types.
    package mutating func skip(_ types: [ColumnType]) {
        for type in types { skip(type) }
    }

    private mutating func skip(_ type: ColumnType) {
        switch type {
        case .uuid: skip(16)
        case .int64, .uint64, .float64: skip(8)
        case .int32: skip(4)
        case .uint16: skip(2)
        case .uint8: skip(1)
        case .string, .label: skip(count())
        case .optionalInt64, .optionalUInt64: _ = nullable { $0.skip(8) }
        case .optionalString: _ = nullable { $0.skip($0.count()) }
        case .int16s: _ = array { $0.skip(2) }
        case .int64s: _ = array { $0.skip(8) }
        }
    }
}
