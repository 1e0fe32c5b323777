package import RowBinary
internal import TrafficModel

/// What goes through the fields of a row one by one: to name the columns, to write a row, or to read one.
///
/// A row lists its fields once, in a generic function. The compiler makes one of it for each visitor, so that a row is
/// written by stores one after the other, without a call for each field.
package protocol FieldVisitor<Row>: ~Copyable {
    associatedtype Row

    /// Goes to a field of several columns; what names them is only computed if it is needed.
    // A row is large, and one that is borrowed by a closure is copied for each column; nothing changes it.
    mutating func field(
        _ columns: @autoclosure () -> [FleetColumn], aggregates: @autoclosure () -> [Aggregate],
        write: (inout Row, inout RowBinaryWriter) -> Void, read: (inout Row, inout RowBinaryReader) -> Void)

    /// Takes note of a histogram, whose field comes next.
    mutating func histogram(_ histogram: @autoclosure () -> FleetHistogram<Row>)
}

extension FieldVisitor where Self: ~Copyable {
    @inline(__always)
    package mutating func histogram(_ histogram: @autoclosure () -> FleetHistogram<Row>) {}

    @inline(__always)
    mutating func field(
        _ columns: @autoclosure () -> [FleetColumn], write: (inout Row, inout RowBinaryWriter) -> Void,
        read: (inout Row, inout RowBinaryReader) -> Void
    ) {
        field(columns(), aggregates: [], write: write, read: read)
    }

    @inline(__always)
    mutating func int64(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> Int64, _ set: (inout Row, Int64) -> Void,
        aggregate: @autoclosure () -> Aggregate? = nil
    ) {
        field([FleetColumn(name(), .int64)], aggregates: [aggregate() ?? .sum(name())]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    @inline(__always)
    mutating func int32(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> Int32, _ set: (inout Row, Int32) -> Void
    ) {
        field([FleetColumn(name(), .int32)]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    @inline(__always)
    mutating func uint64(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> UInt64, _ set: (inout Row, UInt64) -> Void
    ) {
        field([FleetColumn(name(), .uint64)]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    @inline(__always)
    mutating func uint16(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> UInt16, _ set: (inout Row, UInt16) -> Void
    ) {
        field([FleetColumn(name(), .uint16)]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    @inline(__always)
    mutating func uint8(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> UInt8, _ set: (inout Row, UInt8) -> Void
    ) {
        field([FleetColumn(name(), .uint8)]) {
            $1.integer(get(&$0))
        } read: {
            set(&$0, $1.integer())
        }
    }

    @inline(__always)
    mutating func flag(_ name: @autoclosure () -> String, _ get: (inout Row) -> Bool, _ set: (inout Row, Bool) -> Void)
    {
        uint8(name(), { get(&$0) ? 1 : 0 }, { set(&$0, $1 != 0) })
    }

    @inline(__always)
    mutating func float64(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> Double, _ set: (inout Row, Double) -> Void
    ) {
        field([FleetColumn(name(), .float64)]) {
            $1.double(get(&$0))
        } read: {
            set(&$0, Double(bitPattern: $1.integer()))
        }
    }

    @inline(__always)
    mutating func uuid(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> InstallationID,
        _ set: (inout Row, InstallationID) -> Void
    ) {
        field([FleetColumn(name(), .uuid)]) {
            let id = get(&$0)
            $1.integer(id.high)
            $1.integer(id.low)
        } read: {
            set(&$0, InstallationID(high: $1.integer(), low: $1.integer()))
        }
    }

    @inline(__always)
    mutating func string(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> String, _ set: (inout Row, String) -> Void
    ) {
        field([FleetColumn(name(), .string)]) {
            $1.string(get(&$0))
        } read: {
            set(&$0, $1.text())
        }
    }

    @inline(__always)
    mutating func label(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> String, _ set: (inout Row, String) -> Void
    ) {
        field([FleetColumn(name(), .label)]) {
            $1.string(get(&$0))
        } read: {
            set(&$0, $1.text())
        }
    }

    @inline(__always)
    mutating func bytes(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> [UInt8], _ set: (inout Row, [UInt8]) -> Void
    ) {
        field([FleetColumn(name(), .string)]) {
            $1.string(get(&$0))
        } read: {
            set(&$0, $1.data())
        }
    }

    @inline(__always)
    mutating func optionalInt64(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> Int64?, _ set: (inout Row, Int64?) -> Void
    ) {
        field([FleetColumn(name(), .optionalInt64)]) {
            $1.optional(get(&$0))
        } read: {
            set(&$0, $1.nullable { $0.integer() })
        }
    }

    @inline(__always)
    mutating func optionalUInt64(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> UInt64?, _ set: (inout Row, UInt64?) -> Void
    ) {
        field([FleetColumn(name(), .optionalUInt64)]) {
            $1.optional(get(&$0)) { $0.integer($1) }
        } read: {
            set(&$0, $1.nullable { $0.integer() })
        }
    }

    @inline(__always)
    mutating func optionalString(
        _ name: @autoclosure () -> String, _ get: (inout Row) -> String?, _ set: (inout Row, String?) -> Void
    ) {
        field([FleetColumn(name(), .optionalString)]) {
            $1.optional(get(&$0)) { $0.string($1) }
        } read: {
            set(&$0, $1.nullable { $0.text() })
        }
    }
}
