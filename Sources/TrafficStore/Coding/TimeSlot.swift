internal import TrafficModel

/// The minutes, hours and days since the epoch, by which the sums of a store are kept.
enum TimeSlot {
    /// Nanoseconds in a minute.
    static let minute: Int64 = 60_000_000_000
    static let minutesPerHour: Int64 = 60
    static let hoursPerDay: Int64 = 24

    /// The minute of a moment, counted from the epoch.
    static func minute(of moment: Timestamp) -> Int64 { floor(moment.nanoseconds, minute) }

    /// The hour of a minute, counted from the epoch.
    static func hour(of minute: Int64) -> Int64 { floor(minute, minutesPerHour) }

    /// The day of an hour, counted from the epoch.
    static func day(of hour: Int64) -> Int64 { floor(hour, hoursPerDay) }

    /// The quotient, rounded down even before the epoch.
    static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        value >= 0 ? value / unit : -((-(value + 1)) / unit) - 1
    }
}
