import ClickHouse
import FleetTables
import RowBinary
internal import TrafficModel

/// Rows of `sums`, added up in the engine.
extension FleetReader {
    /// The sums of the selected part of a range, by some of their columns.
    ///
    /// - Parameters:
    ///   - columns: the columns by which they are added up.
    ///   - range: the range.
    ///   - key: reads a group's columns, in that order; an installation is the text that people write.
    /// - Returns: each group once or more often, in no particular order.
    /// - Throws: ``ClickHouseError``.
    func sums<Key>(
        by columns: [String], in range: TimeRange, key: (inout RowBinaryReader) -> Key
    ) throws -> [(key: Key, sums: TrafficSums)] {
        try sumsPlaces(range, with: columns).flatMap { try sums(by: columns, of: $0, key: key) }
    }

    /// The sums of rows, by some of their columns.
    ///
    /// - Parameters:
    ///   - columns: the columns by which they are added up.
    ///   - place: the rows that count.
    ///   - fewRows: the most rows of which the engine sends the counts of all buckets as they are.
    ///   - codeBits: the bits of a group's code; with none of them, all groups have the same.
    ///   - key: reads a group's columns, in that order; an installation is the text that people write.
    /// - Returns: each group once, in no particular order.
    /// - Throws: ``ClickHouseError``.
    func sums<Key>(
        by columns: [String], of place: SumsPlace, fewRows: Int64 = 20_000, codeBits: Int = 48,
        key: (inout RowBinaryReader) -> Key
    ) throws -> [(key: Key, sums: TrafficSums)] {
        // In all versions: FINAL would be as much work as the sums.
        let count = try client.count("\(place.table) WHERE \(place.condition)")
        guard count > 0 else { return [] }
        let values = SQLText.joined(columns.map(Self.value(of:)), by: ", ")
        // The lower bits are those of the bucket.
        let mask = UInt64.max << (64 - UInt64(codeBits))
        let code: SQLText = "bitAnd(cityHash64(\(values)), \(mask))"
        let groups = SQLText.joined(columns.map { "\(name: $0)" }, by: ", ")
        var keys: [Key] = []
        var rows: [FleetSums] = []
        var places: [UInt64: Int] = [:]
        func add(_ aggregates: String) throws {
            (keys, rows, places) = ([], [], [:])
            try client.forEachRow(
                """
                SELECT \(code), \(values), \(SQLText(ownWords: aggregates)) FROM \(place.rows)
                WHERE \(place.condition) GROUP BY \(groups)
                """
            ) { reader in
                places[reader.integer()] = rows.count
                keys.append(key(&reader))
                var row = FleetSums()
                row.sums = FleetSums.readFigures(&reader)
                rows.append(row)
                return true
            }
        }
        func works(_ way: () throws -> Void) throws -> Bool {
            do {
                try way()
                return true
            } catch  where error is NotThisWay || (error as? ClickHouseError)?.code == .responseTooLarge {
                return false
            }
        }
        // The fastest way comes first, the one with the smallest response last.
        let isDone =
            try works {
                guard count <= fewRows else { throw NotThisWay() }
                try add(FleetSums.aggregatesOfFewRows)
            }
            || works {
                try add(FleetSums.aggregatesWithoutBuckets)
                guard places.count == rows.count else { throw NotThisWay() }
                try addBuckets(to: &rows, at: places, code: code, of: place)
            }
        if !isDone { try add(FleetSums.aggregates) }
        return zip(keys, rows).map { ($0, $1.sums) }
    }

    /// A column as it is read: an installation is the text that people write.
    static func value(of column: String) -> SQLText {
        column == "installation" ? "toString(installation)" : "\(name: column)"
    }

    /// There are too many rows, or two groups have the same code.
    private struct NotThisWay: Error {}

    /// Adds the counts of all buckets.
    ///
    /// A group's code and a bucket are one number, which the engine adds up by much faster than `sumMap` does it; the
    /// histograms are at the same time, as far as the engine has threads.
    private func addBuckets(
        to rows: inout [FleetSums], at places: [UInt64: Int], code: SQLText, of source: SumsPlace
    ) throws {
        guard !rows.isEmpty else { return }
        let histograms = FleetSums.histograms
        let parts = histograms.enumerated().map { place, histogram -> SQLText in
            let (buckets, counts) = ("\(histogram.name)_bucket", SQLText(ownWords: Aggregate.counts(histogram.name)))
            // The code is repeated before the buckets are rows, so that it is computed once for all of them.
            return """
                SELECT toUInt8(\(place)) AS histogram, code + bucket AS cell, sum(counted)
                FROM \(source.rows) ARRAY JOIN \(name: buckets) AS bucket, \(counts) AS counted,
                    arrayResize(emptyArrayUInt64(), length(\(name: buckets)), \(code) + \(Self.bucketOffset)) AS code
                WHERE \(source.condition) GROUP BY cell
                """
        }
        try client.forEachRow(SQLText.joined(parts, by: " UNION ALL ")) { reader in
            let (histogram, cell, count) = (Int(reader.uint8()), reader.integer(UInt64.self), reader.int64())
            let bucket = Int(cell & Self.bucketMask) - Self.bucketOffset
            if histogram < histograms.count, let place = places[cell & ~Self.bucketMask] {
                histograms[histogram].add(&rows[place], bucket, count)
            }
            return true
        }
    }

    /// What is added to a bucket's number so that it is not below 0.
    private static let bucketOffset = 1 << 15
    private static let bucketMask: UInt64 = 1 << 16 - 1
}
