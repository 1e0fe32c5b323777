/// A range of time; a missing bound is open.
///
/// The upper bound is not part of it.
public struct TimeRange: Hashable, Sendable {
    /// The first moment of the range; nil if it has no lower bound.
    public var since: Timestamp?
    /// The first moment after the range; nil if it has no upper bound.
    public var until: Timestamp?

    /// The range between two moments.
    public init(since: Timestamp? = nil, until: Timestamp? = nil) {
        self.since = since
        self.until = until
    }

    /// All time.
    public static let always = TimeRange()

    /// Whether a moment is in the range.
    public func contains(_ moment: Timestamp) -> Bool {
        since.map { $0 <= moment } ?? true && until.map { moment < $0 } ?? true
    }
}
