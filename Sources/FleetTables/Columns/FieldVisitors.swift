internal import RowBinary

/// Collects the columns of a table.
struct ColumnCollection<Row>: FieldVisitor {
    /// The columns so far, in order.
    private(set) var columns: [FleetColumn] = []
    /// How they are added up over many rows.
    private(set) var aggregates: [Aggregate] = []
    /// The histograms among them.
    private(set) var histograms: [FleetHistogram<Row>] = []

    mutating func histogram(_ histogram: @autoclosure () -> FleetHistogram<Row>) { histograms.append(histogram()) }

    mutating func field(
        _ columns: @autoclosure () -> [FleetColumn], aggregates: @autoclosure () -> [Aggregate],
        write: (inout Row, inout RowBinaryWriter) -> Void, read: (inout Row, inout RowBinaryReader) -> Void
    ) {
        self.columns += columns()
        self.aggregates += aggregates()
    }
}

/// Writes the fields of a row.
struct RowWriting<Row>: FieldVisitor, ~Copyable {
    /// The row, which outlives the visitor.
    let row: UnsafeMutablePointer<Row>
    var writer: RowBinaryWriter

    @inline(__always)
    mutating func field(
        _ columns: @autoclosure () -> [FleetColumn], aggregates: @autoclosure () -> [Aggregate],
        write: (inout Row, inout RowBinaryWriter) -> Void, read: (inout Row, inout RowBinaryReader) -> Void
    ) {
        write(&row.pointee, &writer)
    }
}

/// Reads the fields of a row.
struct RowReading<Row>: FieldVisitor {
    var row: Row
    var reader: RowBinaryReader

    @inline(__always)
    mutating func field(
        _ columns: @autoclosure () -> [FleetColumn], aggregates: @autoclosure () -> [Aggregate],
        write: (inout Row, inout RowBinaryWriter) -> Void, read: (inout Row, inout RowBinaryReader) -> Void
    ) {
        read(&row, &reader)
    }
}
