/// A range of time; a missing bound is open.
///
/// The upper bound is not part of it.
public struct TimeRange: Hashable, Sendable {
    /// The first moment; nil for the begin of time.
    public var since: Timestamp?
    /// The first moment after it; nil for no end.
    public var until: Timestamp?

    /// The range between two moments.
    public init(since: Timestamp? = nil, until: Timestamp? = nil) {
        self.since = since
        self.until = until
    }

    /// All time.
    public static let always = TimeRange()

    /// Whether a moment lies in it.
    public func contains(_ moment: Timestamp) -> Bool {
        since.map { $0 <= moment } ?? true && until.map { moment < $0 } ?? true
    }
}
