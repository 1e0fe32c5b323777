/// A time zone in which times are shown: a fixed distance from UTC, and its name.
///
/// The distance does not change within a table, so that its heading is true for each of its rows.
package struct ClockZone: Hashable, Sendable {
    /// What UTC lacks, in seconds.
    package var offset: Int64
    /// A short name, such as `CET` or `+0530`.
    package var name: String

    package init(offset: Int64, name: String) {
        self.offset = offset
        self.name = name
    }

    /// Coordinated Universal Time.
    package static let utc = ClockZone(offset: 0, name: "UTC")
}
