/// How a size is known.
///
/// Every number has one; a weaker one is never shown as a stronger one.
public enum Evidence: UInt8, Sendable, CaseIterable, Comparable {
    /// The size is not known; the number beside it is 0 and means nothing.
    case unknown = 0
    /// Computed from what the system's interface shows.
    case reconstructed = 1
    /// A counter of the kernel, the system or the library that did the transfer.
    case reported = 2
    /// The bytes passed through the meter.
    case captured = 3

    /// Whether the left evidence is weaker.
    public static func < (left: Evidence, right: Evidence) -> Bool { left.rawValue < right.rawValue }

    /// The evidence's name in machine formats.
    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .reconstructed: "reconstructed"
        case .reported: "reported"
        case .captured: "captured"
        }
    }
}
