import ClickHouse
import FleetTables
import RowBinary

/// What the table `total` has: the sums of all installations together, as of a moment.
///
/// A row of `total` with a width of 0 publishes: its revision says from when on what arrived is not in the others. Slots of
/// which anything arrived since then are read from `sums` itself, so a repetition, a late row and a correction count as
/// soon as they are there, and totals are only ever faster.
package struct FleetTotals: Sendable {
    /// A slot of time of which `sums` has rows that count every exchange once.
    struct Slot: Hashable, Sendable {
        /// The width in minutes: ``hour`` or ``day``.
        let width: Int64
        /// The slot, counted from the epoch.
        let number: Int64

        /// The day that it is, or is in.
        var day: Int64 { width == FleetTotals.day ? number : SumsLayout.floor(number, FleetTotals.hoursOfDay) }
    }

    static let hour: Int64 = 60
    static let day: Int64 = 1_440
    static let hoursOfDay = day / hour

    /// Slots that are farther from the epoch have no totals: strangers may send any number.
    static let mostSlots: Int64 = 1 << 40

    /// What arrived at this second or later, by ClickHouse's clock, may not be in the totals.
    let moment: Int64
    /// The slots of which something arrived since then.
    let changed: Set<Slot>

    /// With more slots that have changed, `sums` are read alone.
    private static let mostChanged = 4_000

    /// Reads what there is; nil if there are no totals, or too much has changed since they were made.
    init?(_ client: ClickHouseClient) throws {
        try self.init(client, mostChanged: Self.mostChanged)
    }

    /// The same; `mostChanged` is nil for any number.
    init?(_ client: ClickHouseClient, mostChanged: Int?) throws {
        do {
            guard let moment = try Self.published(client) else { return nil }
            let limit: SQLText = mostChanged.map { " LIMIT \($0 + 1)" } ?? ""
            changed = try Self.slots(client, where: "\(Self.arrived(since: moment))", limit: limit)
            self.moment = moment
            if let mostChanged, changed.count > mostChanged { return nil }
        } catch let error as ClickHouseError where Self.missing.contains(error.exception) {
            return nil
        }
    }

    /// ClickHouse's numbers for a column and a table that are missing: a database of before there were totals.
    private static let missing: Set<Int?> = [16, 47, 60]

    /// The second that the newest totals are of.
    private static func published(_ client: ClickHouseClient) throws -> Int64? {
        var moment: Int64?
        try client.forEachRow("SELECT toInt64(count()), toInt64(max(revision)) FROM total WHERE width = 0") { row in
            let (count, revision) = (row.int64(), row.int64())
            if count > 0 { moment = revision / secondsInRevision }
            return false
        }
        return moment
    }

    /// A revision of totals is their moment in microseconds; the lower digits are there so that no two are the same.
    static let secondsInRevision: Int64 = 1_000_000

    /// The condition that rows of `sums` arrived at a second or later.
    static func arrived(since moment: Int64) -> SQLText {
        // The day is there because partitions are by day; servers may be in different time zones.
        "received >= toDate(toDateTime(\(moment))) - 1 AND arrived >= toDateTime(\(moment))"
    }

    /// The slots of rows of `sums` that count every exchange once.
    static func slots(
        _ client: ClickHouseClient, where condition: SQLText, limit: SQLText = ""
    ) throws -> Set<Slot> {
        var slots: Set<Slot> = []
        try client.forEachRow(
            """
            SELECT width, slot FROM sums WHERE whole = 1 AND width IN (\(hour), \(day)) AND \(condition)
            GROUP BY width, slot\(limit)
            """
        ) { row in
            let slot = Slot(width: Int64(row.integer(UInt16.self)), number: row.int64())
            if slot.number >= -mostSlots, slot.number < mostSlots { slots.insert(slot) }
            return true
        }
        return slots
    }

    /// The condition that rows of `total` are of the newest revision of their slot: a group that is no longer there has
    /// rows of earlier ones.
    static let areNewest: SQLText = """
        (width, slot, whole, revision) IN (SELECT width, slot, whole, max(revision) FROM total GROUP BY width, slot, whole)
        """
}
