/// Which rows of exchanges are kept, and for how long.
///
/// Sums are kept for ever, except those of minutes.
package struct RetentionPolicy: Sendable, Hashable {
    /// The age in nanoseconds after which an exchange's rows are deleted; nil for no limit.
    package var maxAge: Int64?
    /// The size of the store in bytes after which the oldest rows are deleted; nil for no limit.
    package var maxSize: Int64?
    /// The age in nanoseconds after which sums are kept only by hour.
    package var minutesAge: Int64
    /// The largest number of exchanges deleted in one transaction.
    package var step: Int
    /// Seconds between two checks of the store.
    package var interval: Double

    /// A policy with those limits.
    package init(
        maxAge: Int64? = nil, maxSize: Int64? = nil, minutesAge: Int64 = 14 * 86_400 * 1_000_000_000,
        step: Int = 500, interval: Double = 60
    ) {
        self.maxAge = maxAge
        self.maxSize = maxSize
        self.minutesAge = minutesAge
        self.step = max(1, step)
        self.interval = interval
    }

    /// A policy that keeps all rows.
    package static let keepAll = RetentionPolicy()
}
