/// Bounds for numbers that come out of a file: no real traffic reaches them, and what is computed with numbers inside
/// them cannot overflow.
///
/// A damaged row, or one that somebody made up, yields a wrong value and never a crash.
enum Plausible {
    // Some 30,000 rows of this fit into a sum.
    private static let most: Int64 = 1 << 48
    // The years 1933 to 2116: the distance of two of them fits.
    private static let earliest: Int64 = -(1 << 60)
    private static let latest: Int64 = 1 << 62
    // Two years.
    private static let longest: Int64 = 1 << 56

    /// How often something was.
    static func count(_ value: Int64) -> Int64 { min(max(0, value), most) }

    /// The number of a row, behind which there is room for more.
    static func number(_ value: Int64) -> Int64 { min(max(0, value), latest) }

    /// Nanoseconds since 1970.
    static func moment(_ value: Int64) -> Int64 { min(max(earliest, value), latest) }

    /// Minutes, hours or days since 1970.
    static func slot(_ value: Int64) -> Int64 { min(max(earliest / Rollup.minute, value), latest / Rollup.minute) }

    /// Nanoseconds from one moment to another.
    static func duration(_ value: Int64) -> Int64 { min(max(-longest, value), longest) }
}
