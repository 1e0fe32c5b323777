/// How a size is known.
///
/// Every number carries it; a weaker one is never shown as a stronger.
public enum Evidence: UInt8, Sendable, CaseIterable, Comparable {
    /// Nothing is known; the bytes beside it are 0 and mean nothing.
    case unknown = 0
    /// Computed from what an API shows.
    case reconstructed = 1
    /// A counter of the system (the kernel, or the library that did the transfer).
    case reported = 2
    /// The bytes passed through our hands.
    case captured = 3

    /// Whether the left evidence is weaker.
    public static func < (left: Evidence, right: Evidence) -> Bool { left.rawValue < right.rawValue }

    /// The word for it in machine formats.
    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .reconstructed: "reconstructed"
        case .reported: "reported"
        case .captured: "captured"
        }
    }
}
