package import ClickHouse
import FleetTables
import RowBinary

extension FleetTotals {
    /// What making totals has done.
    package struct Made: Sendable {
        /// The slots whose totals were made, hours and days.
        package var slots = 0
        /// The slots that keep the totals they had, because there are fewer requests in `sums` by now.
        package var kept = 0
        /// The second, by ClickHouse's clock and since 1970, from which on what arrives is not in them.
        package var moment: Int64 = 0
    }

    /// Makes the totals of all slots of which something has arrived since they were made.
    ///
    /// Nothing is added to what there was: the totals of a slot are made anew from `sums`. Until the last of them is there,
    /// readers take these slots from `sums`. Two that do this at once do no harm. Where ClickHouse has deleted sums by their
    /// age, a late row must not make the rest of a slot be forgotten, so totals only grow, unless all are made.
    ///
    /// - Parameters:
    ///   - client: asks ClickHouse; it has to wait as long as ClickHouse needs for the sums of a day.
    ///   - makesAll: whether to make those of all slots.
    ///   - settling: what arrived within this number of seconds may not be on all replicas yet; it counts as not arrived.
    ///   - microsecond: a number below a million that another one who makes totals does not have.
    ///   - progress: gets how many days have been done, and of how many.
    /// - Returns: what was made.
    /// - Throws: ``ClickHouseError``, and the errors of `progress`.
    package static func make(
        _ client: ClickHouseClient, makesAll: Bool, settling: Int64, microsecond: Int64,
        progress: (_ done: Int, _ days: Int) throws -> Void = { _, _ in }
    ) throws -> Made {
        var made = Made()
        try client.forEachRow("SELECT toInt64(toUnixTimestamp(now()))") { row in
            made.moment = row.int64() - settling
            return false
        }
        let before = makesAll ? nil : try FleetTotals(client, mostChanged: nil)
        let slots = try before?.changed ?? self.slots(client, where: "1")
        let revision = made.moment * secondsInRevision + microsecond % secondsInRevision
        let days = Dictionary(grouping: slots, by: \.day).sorted { $0.key < $1.key }
        for (place, (day, slots)) in days.enumerated() {
            try progress(place, days.count)
            for width in [hour, Self.day] {
                let numbers = slots.filter { $0.width == width }.map(\.number).sorted()
                guard !numbers.isEmpty else { continue }
                let grown = try makesAll ? numbers : grown(numbers, of: width, client)
                made.slots += grown.count
                made.kept += numbers.count - grown.count
                guard !grown.isEmpty else { continue }
                try insert(
                    "FROM sums FINAL WHERE \(areThese(grown, of: width))", width: width, slot: "slot", isWhole: true,
                    revision, client)
                guard width == hour else { continue }
                // Of the hours' totals, which are far fewer rows than those of all installations.
                try insert(
                    """
                    FROM total WHERE whole = 1 AND width = \(hour) AND slot >= \(day * hoursOfDay)
                        AND slot < \((day + 1) * hoursOfDay) AND \(areNewest)
                    """, width: Self.day, slot: "toInt64(\(day))", isWhole: false, revision, client)
            }
        }
        try client.run(
            """
            INSERT INTO total (installation, width, revision)
            SELECT \(nobody), toUInt16(0), toUInt64(\(revision))
            """)
        return made
    }

    private static func areThese(_ slots: [Int64], of width: Int64) -> SQLText {
        "whole = 1 AND width = \(width) AND slot IN (\(SQLText.joined(slots.map { "\($0)" }, by: ", ")))"
    }

    /// Those of the slots that have no fewer requests in `sums` than in `total`.
    private static func grown(_ slots: [Int64], of width: Int64, _ client: ClickHouseClient) throws -> [Int64] {
        var grown: [Int64] = []
        let these = areThese(slots, of: width)
        try client.forEachRow(
            """
            SELECT slot FROM (
                SELECT slot, toInt64(sum(requests)) AS counted, toInt64(0) AS before FROM sums FINAL WHERE \(these) GROUP BY slot
                UNION ALL
                SELECT slot, toInt64(0) AS counted, toInt64(sum(requests)) AS before FROM total
                WHERE \(these) AND \(areNewest) GROUP BY slot)
            GROUP BY slot HAVING sum(counted) >= sum(before) ORDER BY slot
            """
        ) { row in
            grown.append(row.int64())
            return true
        }
        return grown
    }

    /// The installation of totals.
    private static let nobody: SQLText = "toUUID('00000000-0000-0000-0000-000000000000')"

    /// Inserts sums of the rows that come after `FROM`.
    private static func insert(
        _ rows: SQLText, width: Int64, slot: SQLText, isWhole: Bool, _ revision: Int64, _ client: ClickHouseClient
    ) throws {
        let groups = FleetSums.groups.map { SQLText(ownWords: $0) }
        let own: [(SQLText, SQLText)] = [
            ("installation", nobody), ("width", "toUInt16(\(width))"), ("slot", "\(slot) AS of_slot"),
            ("whole", "toUInt8(\(isWhole ? 1 : 0))"), ("revision", "toUInt64(\(revision))"),
        ]
        let figures = FleetSums.sumsOfColumns.map { (SQLText(ownWords: $0.column), SQLText(ownWords: $0.expression)) }
        let all = own + groups.map { ($0, $0) } + figures
        let grouped = SQLText.joined(["of_slot"] + groups, by: ", ")
        try client.run(
            """
            INSERT INTO total (\(SQLText.joined(all.map(\.0), by: ", ")))
            SELECT \(SQLText.joined(all.map(\.1), by: ", "))
            \(rows) GROUP BY \(grouped)
            """)
    }
}
