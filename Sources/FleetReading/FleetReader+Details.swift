import ClickHouse
import FleetTables
import RowBinary
internal import TrafficModel

/// Sums of the exchanges that were shipped one by one, added up in the engine.
extension FleetReader {
    /// The most groups of one query, because the engine keeps all of them in memory.
    private static let groupsPerQuery: Int64 = 50_000

    /// The totals of a range by path, by network or by carrier; where only a share of the exchanges was sent, estimates with their
    /// error.
    func detailTotals(by grouping: TrafficGrouping, in range: TimeRange) throws -> [TrafficTotal] {
        let condition = SQLText.joined(
            [selection.condition] + startConditions(selection.part(of: range)), by: " AND ")
        var parts: Int64 = 1
        var isSampled = false
        try client.forEachRow(
            "SELECT toInt64(uniq(path)), toUInt8(max(weight) > 1) FROM exchange WHERE \(condition)"
        ) { row in
            let paths = FleetNumbers.count(row.int64())
            if grouping == .path { parts = paths / Self.groupsPerQuery + 1 }
            isSampled = row.flag()
            return false
        }
        var totals: [TrafficTotal.Key: TrafficTotal] = [:]
        for part in 0..<parts {
            let rows = parts == 1 ? condition : "\(condition) AND cityHash64(path) % \(parts) = \(part)"
            try addSums(by: grouping, of: rows, to: &totals)
            if isSampled { try addErrors(by: grouping, of: rows, to: &totals) }
        }
        return Array(totals.values)
    }

    private func addSums(
        by grouping: TrafficGrouping, of rows: SQLText, to totals: inout [TrafficTotal.Key: TrafficTotal]
    ) throws {
        let (keys, columns) = Self.detailKeys(of: grouping)
        try client.forEachRow(
            """
            SELECT \(keys), \(SQLText(ownWords: FleetSums.estimates)) FROM
                (\(ExchangeFigures.bounds) SELECT \(columns), \(ExchangeFigures.weight), \(ExchangeFigures.columns)
                FROM exchange FINAL WHERE \(rows))
            GROUP BY \(keys)
            """
        ) { row in
            let key = Self.detailKey(by: grouping, &row)
            totals[key, default: TrafficTotal(key: key)].sums.merge(FleetSums.readFigures(&row))
            return true
        }
    }

    /// Adds the variances of a sample in two stages, by Horvitz and Thompson's estimator.
    ///
    /// Installations are drawn by the cohort, and their tasks by the share of details, each independently.
    private func addErrors(
        by grouping: TrafficGrouping, of rows: SQLText, to totals: inout [TrafficTotal.Key: TrafficTotal]
    ) throws {
        let (keys, columns) = Self.detailKeys(of: grouping)
        let bytes = ["request", "response"].flatMap { message in
            ["start_line", "fields", "interim", "body", "framing"].map { "\(message)_\($0)" }
        }
        try client.forEachRow(
            """
            SELECT \(keys), toInt64(sum(counted)), sum(c * (c - 1) * n * n + c * n_variance),
                sum(c * (c - 1) * b * b + c * b_variance)
            FROM (
                SELECT \(keys), installation, max(cohort) AS c, sum(counted) AS counted,
                    sum(t * requests) AS n, sum(t * (t - 1) * requests * requests) AS n_variance,
                    sum(t * bytes) AS b, sum(t * (t - 1) * bytes * bytes) AS b_variance
                FROM (
                    SELECT \(keys), installation, counted, requests, bytes,
                        if(details > 0 AND details < 1, least(1 / details, w), toFloat64(1)) AS t, w / t AS cohort
                    FROM (
                        SELECT \(keys), installation, task, max(one_weight) AS w, count() AS counted,
                            toFloat64(count()) AS requests, toFloat64(sum(total)) AS bytes
                        FROM (SELECT \(columns), installation, task, \(ExchangeFigures.weight),
                            \(SQLText(ownWords: bytes.joined(separator: " + "))) AS total
                            FROM exchange FINAL WHERE \(rows))
                        GROUP BY \(keys), installation, task
                    ) AS tasks ANY LEFT JOIN (
                        SELECT installation, argMax(details, revision) AS details FROM installation
                        WHERE \(selection.condition) GROUP BY installation
                    ) AS shares USING installation
                )
                GROUP BY \(keys), installation
            )
            GROUP BY \(keys)
            """
        ) { row in
            let key = Self.detailKey(by: grouping, &row)
            totals[key]?.error = SamplingError(
                counted: FleetNumbers.count(row.int64()), requestVariance: row.amount(most: 1e36),
                byteVariance: row.amount(most: 1e36))
            return true
        }
    }

    /// The columns that name a group, and how a row has them.
    private static func detailKeys(of grouping: TrafficGrouping) -> (names: SQLText, columns: SQLText) {
        switch grouping {
        case .network: ("direction, network_name", "direction, \(networkName) AS network_name")
        case .carrier: ("direction, carrier", "direction, carrier")
        default: ("direction, method, authority, path", "direction, method, authority, path")
        }
    }

    /// ``ConnectionNetwork/name`` of a row; empty if the network is not known.
    private static let networkName: SQLText = {
        let names = ConnectionNetwork().properties.enumerated().map { place, property -> SQLText in
            "if(bitAnd(network_flags, \(3 << (2 * place))) = \(3 << (2 * place)), \(property.name), '')"
        }
        let known: SQLText = "arrayFilter(name -> name != '', [\(SQLText.joined(names, by: ", "))])"
        return """
            multiIf(isNull(network), '', ifNull(network, '') != '', ifNull(network, ''),
                notEmpty(\(known)), arrayStringConcat(\(known), ', '), 'other')
            """
    }()

    private static func detailKey(by grouping: TrafficGrouping, _ row: inout RowBinaryReader) -> TrafficTotal.Key {
        let direction = FleetNumbers.direction(row.uint8())
        return switch grouping {
        case .network: TrafficTotal.Key(network: row.text(), direction: direction)
        case .carrier: TrafficTotal.Key(source: row.text(), direction: direction)
        default: TrafficTotal.Key(method: row.text(), host: row.text(), path: row.text(), direction: direction)
        }
    }
}
