import GRDB
internal import TrafficModel

/// A time range rounded to the minutes for which roll-ups exist, and how far each tier is complete.
struct RollupBounds {
    /// The first minute of the range.
    private(set) var since: Int64
    /// The first minute after the range.
    private(set) var until: Int64
    /// Minutes before this one exist only as part of their hours.
    let floor: Int64
    /// Minutes before this one are included in the sums of their hours.
    let folded: Int64
    /// Hours before this one are included in the sums of their days and of all time.
    let foldedHours: Int64

    /// Widens a range to whole minutes, or to whole hours if the minutes are no longer kept.
    init(_ range: TimeRange, _ database: Database) throws {
        func meta(_ key: String) throws -> Int64 {
            Plausible.slot(
                try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key]) ?? 0)
        }
        floor = try meta("minute_floor")
        folded = try meta("folded")
        foldedHours = try meta("folded_hours")
        let perHour = TimeSlot.minutesPerHour
        since = range.since.map(TimeSlot.minute(of:)) ?? Int64.min / perHour
        until = range.until.map(Self.minuteAfter) ?? Int64.max / perHour
        if since < floor { since = TimeSlot.hour(of: since) * perHour }
        if until < floor { until = -TimeSlot.floor(-until, perHour) * perHour }
    }

    private static func minuteAfter(_ moment: Timestamp) -> Int64 {
        let minute = TimeSlot.minute(of: moment)
        return minute * TimeSlot.minute == moment.nanoseconds ? minute : minute + 1
    }
}
