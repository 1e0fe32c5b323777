/// How long the rows of exchanges are kept.
///
/// Sums are kept for ever, those of minutes aside.
package struct RetentionPolicy: Sendable, Hashable {
    /// Nanoseconds after which an exchange's rows go; nil for never.
    package var maxAge: Int64?
    /// Bytes beyond which the oldest rows go; nil for no limit.
    package var maxSize: Int64?
    /// Nanoseconds after which sums are kept by the hour only.
    package var minutesAge: Int64
    /// How many exchanges go in one transaction.
    package var step: Int
    /// Seconds between two looks at the store.
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

    /// Everything is kept.
    package static let keepAll = RetentionPolicy()
}
