import ClickHouse
import FleetTables
import RowBinary
package import TrafficModel

extension FleetReader {
    /// How many installations have sent a range's exchanges of a direction one by one, of those that have any.
    ///
    /// An installation that is not in the cohort, and one of whose exchanges none was chosen by chance, are represented by
    /// the weight of others. One that sends sums alone is not, nor is one that should have sent all and has not.
    package func detailCoverage(of direction: TrafficDirection, in range: TimeRange) throws -> DetailCoverage? {
        let range = selection.part(of: range)
        let own: SQLText = "\(selection.condition) AND direction = \(FleetNumbers.direction(direction))"
        let rows = SQLText.joined([own] + startConditions(range), by: " AND ")
        // A slot may be wider than the range, so one of its ends has to be in it.
        let ends = ["first_us", "last_us"].map { end -> SQLText in
            let conditions = startConditions(range, of: end)
            return conditions.isEmpty ? "1" : "(\(SQLText.joined(conditions, by: " AND ")))"
        }
        var coverage = DetailCoverage(installations: 0, withoutDetails: 0)
        // Without a join, which would be one of tables over a cluster.
        try client.forEachRow(
            """
            SELECT toInt64(sum(is_metered)), toInt64(sum(is_metered = 1 AND has_details = 0 AND is_due = 1)) FROM (
                SELECT installation, max(metered) AS is_metered, max(details_sent) AS has_details, max(due) AS is_due
                FROM (
                    SELECT installation, toUInt8(1) AS metered, toUInt8(0) AS details_sent, toUInt8(0) AS due
                    FROM sums WHERE \(own) AND requests > 0 AND (\(SQLText.joined(ends, by: " OR ")))
                    GROUP BY installation
                    UNION ALL
                    SELECT installation, toUInt8(0) AS metered, toUInt8(1) AS details_sent, toUInt8(0) AS due
                    FROM exchange WHERE \(rows) GROUP BY installation
                    UNION ALL
                    SELECT installation, toUInt8(0) AS metered, toUInt8(0) AS details_sent,
                        toUInt8(argMax(sums_alone, revision) = 1 OR argMax(details, revision) >= 1) AS due
                    FROM installation WHERE \(selection.condition) GROUP BY installation
                )
                GROUP BY installation
            )
            """
        ) { row in
            coverage.installations = FleetNumbers.count(row.int64())
            coverage.withoutDetails = FleetNumbers.count(row.int64())
            return false
        }
        return coverage
    }
}
