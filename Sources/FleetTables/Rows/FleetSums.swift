package import RowBinary
package import TrafficModel

/// The sums of one kind of exchange over a slot of time as a row; they are of everything, never of a sample.
package struct FleetSums: FleetRow, Hashable {
    package var origin = FleetOrigin()
    /// How long the slot is, in minutes: 1, 60 or 1440.
    package var width: UInt16 = 60
    /// The number of the slot: minutes, hours or days since 1970.
    package var slot: Int64 = 0
    /// Whether rows of this width count every exchange once; finer rows have the same exchanges again.
    package var isWhole = true
    /// The number of the kind in the store.
    package var kind: Int64 = 0
    /// The parts of the name of the kind: method, host, template, program, status, media type and direction.
    package var key = TrafficTotal.Key()
    /// The sums.
    package var sums = TrafficSums()

    package init() {}

    package static let table = FleetTable<FleetSums>(
        name: "sums", key: ["width", "slot", "installation", "kind"], keepsMoment: true)

    /// Sums of all installations together, which are made of the others: their installation is all zeros.
    ///
    /// They have no host, program and run. Rows of days with `whole = 0` have again what those of hours have.
    package static let totals = FleetTable<FleetSums>(
        name: "total", key: ["width", "slot", "whole"] + groups + ["installation"])

    /// The columns of ``totals`` beside the figures, by which sums are grouped.
    package static let groups = [
        "service", "version", "environment", "os", "region", "direction", "method", "authority", "template", "status",
        "type",
    ]

    package static func visit<Visitor: FieldVisitor<Self> & ~Copyable>(_ fields: inout Visitor) {
        fields.origin()
        fields.uint16("width", { $0.width }, { $0.width = $1 })
        fields.int64("slot", { $0.slot }, { $0.slot = $1 })
        fields.flag("whole", { $0.isWhole }, { $0.isWhole = $1 })
        fields.int64("kind", { $0.kind }, { $0.kind = $1 })
        addKey(&fields)
        fields.figures()
    }

    @inline(__always)
    private static func addKey<Visitor: FieldVisitor<Self> & ~Copyable>(_ columns: inout Visitor) {
        columns.uint8(
            "direction", { FleetNumbers.direction($0.key.direction) },
            { $0.key.direction = FleetNumbers.direction($1) })
        columns.label("method", { $0.key.method ?? "" }, { $0.key.method = $1 })
        columns.label("authority", { $0.key.host ?? "" }, { $0.key.host = $1 })
        columns.label("template", { $0.key.template ?? "" }, { $0.key.template = $1 })
        columns.label("process", { $0.key.process ?? "" }, { $0.key.process = $1 })
        columns.int64("status", { Int64($0.key.status ?? 0) }, { $0.key.status = Int($1) })
        columns.label("type", { $0.key.contentType ?? "" }, { $0.key.contentType = $1 })
    }

    // MARK: Added up

    private static let figures: ColumnCollection<FleetSums> = {
        var fields = ColumnCollection<FleetSums>()
        fields.figures()
        return fields
    }()

    /// The expressions that add up the sums of many rows, for a SELECT; their row is read by ``readFigures(_:)``.
    package static let aggregates = figures.aggregates.flatMap(\.ofSums).joined(separator: ", ")

    /// The columns that ``aggregates`` fill, and an expression for each of them.
    package static let sumsOfColumns: [(column: String, expression: String)] = {
        let columns = figures.columns.map(\.name)
        let expressions = figures.aggregates.flatMap(\.ofSums)
        precondition(columns.count == expressions.count)
        return Array(zip(columns, expressions))
    }()

    /// The same with the counts of buckets of every row, which ``readFigures(_:)`` adds up: of few rows, ClickHouse sends
    /// them in less time than it adds them up.
    package static let aggregatesOfFewRows = figures.aggregates.map(\.withRowsBuckets).joined(separator: ", ")

    /// The same without the counts of buckets; ``histograms`` add these.
    package static let aggregatesWithoutBuckets = figures.aggregates.map(\.withoutBuckets).joined(separator: ", ")

    /// The histograms of sums.
    package static let histograms = figures.histograms

    /// The expressions that add up single exchanges, for a SELECT; their row is read by ``readFigures(_:)``.
    ///
    /// What each exchange adds to a column is under the name that ``one(_:)`` gives it, and `one_weight` is the number of
    /// exchanges that it stands for.
    package static let estimates = figures.aggregates.map(\.ofExchanges).joined(separator: ", ")

    /// The name under which ``estimates`` expect what one exchange adds to a column.
    package static func one(_ column: String) -> String { "one_\(column)" }

    /// Reads sums as ``aggregates``, its variants or ``estimates`` select them.
    package static func readFigures(_ reader: inout RowBinaryReader) -> TrafficSums {
        var reading = RowReading(row: FleetSums(), reader: reader)
        reading.figures()
        reader = reading.reader
        return reading.row.sums
    }
}
