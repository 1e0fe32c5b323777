/// A moment, in nanoseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Sendable, Comparable {
    /// Nanoseconds since the epoch.
    public let nanoseconds: Int64

    /// The moment that many nanoseconds after the epoch.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Whether the left moment is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }

    /// Seconds since the epoch, rounded down.
    public var seconds: Int64 {
        nanoseconds >= 0 ? nanoseconds / 1_000_000_000 : (nanoseconds + 1) / 1_000_000_000 - 1
    }
}
