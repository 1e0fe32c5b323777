import GRDB
internal import TrafficModel

/// A range in minutes, as the sums can tell it, and how far they have entered the coarser tiers.
struct RollupBounds {
    /// The first minute.
    private(set) var since: Int64
    /// The first minute behind.
    private(set) var until: Int64
    /// Minutes before this one are kept by the hour only.
    let floor: Int64
    /// Minutes before this one are in the sums of their hours.
    let folded: Int64
    /// Hours before this one are in the sums of their days and of all time.
    let foldedHours: Int64

    /// That range, widened to whole minutes; to whole hours where minutes are no longer kept.
    init(_ range: TimeRange, _ database: Database) throws {
        func meta(_ key: String) throws -> Int64 {
            Plausible.slot(
                try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key]) ?? 0)
        }
        floor = try meta("minute_floor")
        folded = try meta("folded")
        foldedHours = try meta("folded_hours")
        let perHour = Rollup.minutesPerHour
        since = range.since.map(Rollup.minute(of:)) ?? Int64.min / perHour
        until = range.until.map(Self.minuteBehind) ?? Int64.max / perHour
        if since < floor { since = Rollup.hour(of: since) * perHour }
        if until < floor { until = -Rollup.floor(-until, perHour) * perHour }
    }

    private static func minuteBehind(_ moment: Timestamp) -> Int64 {
        let minute = Rollup.minute(of: moment)
        return minute * Rollup.minute == moment.nanoseconds ? minute : minute + 1
    }
}
