internal import RowBinary
internal import TrafficModel

/// The fields of a table as they are listed one by one.
package struct FieldList<Row> {
    // A row is large, and one that is borrowed by a closure is copied for each column; nothing changes it.
    package typealias Get<Value> = @Sendable (inout Row) -> Value
    package typealias Set<Value> = @Sendable (inout Row, Value) -> Void

    /// The fields so far.
    private(set) var fields: [FleetField<Row>] = []
    /// The histograms among them.
    var histograms: [FleetHistogram<Row>] = []

    /// A field of several columns.
    mutating func add(
        _ columns: [FleetColumn], aggregates: [Aggregate] = [],
        write: @escaping @Sendable (inout Row, inout RowBinaryWriter) -> Void,
        read: @escaping @Sendable (inout Row, inout RowBinaryReader) -> Void
    ) {
        fields.append(FleetField(columns: columns, aggregates: aggregates, write: write, read: read))
    }

    mutating func int64(
        _ name: String, _ get: @escaping Get<Int64>, _ set: @escaping Set<Int64>, aggregate: Aggregate? = nil
    ) {
        add([FleetColumn(name, .int64)], aggregates: [aggregate ?? .sum(name)]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    mutating func int32(_ name: String, _ get: @escaping Get<Int32>, _ set: @escaping Set<Int32>) {
        add([FleetColumn(name, .int32)]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    mutating func uint64(_ name: String, _ get: @escaping Get<UInt64>, _ set: @escaping Set<UInt64>) {
        add([FleetColumn(name, .uint64)]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    mutating func uint16(_ name: String, _ get: @escaping Get<UInt16>, _ set: @escaping Set<UInt16>) {
        add([FleetColumn(name, .uint16)]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    mutating func uint8(_ name: String, _ get: @escaping Get<UInt8>, _ set: @escaping Set<UInt8>) {
        add([FleetColumn(name, .uint8)]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    mutating func flag(_ name: String, _ get: @escaping Get<Bool>, _ set: @escaping Set<Bool>) {
        uint8(name, { get(&$0) ? 1 : 0 }, { set(&$0, $1 != 0) })
    }

    mutating func float64(_ name: String, _ get: @escaping Get<Double>, _ set: @escaping Set<Double>) {
        add([FleetColumn(name, .float64)]) {
            $1.double(get(&$0))
        } read: {
            set(&$0, Double(bitPattern: $1.integer()))
        }
    }

    mutating func uuid(_ name: String, _ get: @escaping Get<InstallationID>, _ set: @escaping Set<InstallationID>) {
        add([FleetColumn(name, .uuid)]) {
            let id = get(&$0)
            $1.integer(id.high)
            $1.integer(id.low)
        } read: {
            set(&$0, InstallationID(high: $1.integer(), low: $1.integer()))
        }
    }

    mutating func string(_ name: String, _ get: @escaping Get<String>, _ set: @escaping Set<String>) {
        add([FleetColumn(name, .string)]) {
            $1.string(get(&$0))
        } read: {
            set(&$0, $1.text())
        }
    }

    mutating func label(_ name: String, _ get: @escaping Get<String>, _ set: @escaping Set<String>) {
        add([FleetColumn(name, .label)]) {
            $1.string(get(&$0))
        } read: {
            set(&$0, $1.text())
        }
    }

    mutating func bytes(_ name: String, _ get: @escaping Get<[UInt8]>, _ set: @escaping Set<[UInt8]>) {
        add([FleetColumn(name, .string)]) {
            $1.string(get(&$0))
        } read: {
            set(&$0, $1.data())
        }
    }

    mutating func optionalInt64(_ name: String, _ get: @escaping Get<Int64?>, _ set: @escaping Set<Int64?>) {
        add([FleetColumn(name, .optionalInt64)]) {
            $1.optional(get(&$0))
        } read: {
            set(&$0, $1.nullable { $0.integer() })
        }
    }

    mutating func optionalUInt64(_ name: String, _ get: @escaping Get<UInt64?>, _ set: @escaping Set<UInt64?>) {
        add([FleetColumn(name, .optionalUInt64)]) {
            $1.optional(get(&$0)) { $0.integer($1) }
        } read: {
            set(&$0, $1.nullable { $0.integer() })
        }
    }

    mutating func optionalString(_ name: String, _ get: @escaping Get<String?>, _ set: @escaping Set<String?>) {
        add([FleetColumn(name, .optionalString)]) {
            $1.optional(get(&$0)) { $0.string($1) }
        } read: {
            set(&$0, $1.nullable { $0.text() })
        }
    }
}
