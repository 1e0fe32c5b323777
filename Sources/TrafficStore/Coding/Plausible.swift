/// Bounds for numbers that are read from a file, so that computing with them cannot overflow; no real traffic exceeds
/// them.
///
/// A damaged or forged row then yields a wrong value, but never a crash.
enum Plausible {
    // A sum has room for some 30,000 of these.
    private static let most: Int64 = 1 << 48
    // The years 1933 to 2116: the difference of two of them does not overflow.
    private static let earliest: Int64 = -(1 << 60)
    private static let latest: Int64 = 1 << 62
    // Two years.
    private static let longest: Int64 = 1 << 56

    /// A count of events or bytes.
    static func count(_ value: Int64) -> Int64 { min(max(0, value), most) }

    /// A row number; adding to it does not overflow.
    static func number(_ value: Int64) -> Int64 { min(max(0, value), latest) }

    /// Nanoseconds since 1970.
    static func moment(_ value: Int64) -> Int64 { min(max(earliest, value), latest) }

    /// Minutes, hours or days since 1970.
    static func slot(_ value: Int64) -> Int64 { min(max(earliest / TimeSlot.minute, value), latest / TimeSlot.minute) }

    /// A duration in nanoseconds; it may be negative.
    static func duration(_ value: Int64) -> Int64 { min(max(-longest, value), longest) }
}
