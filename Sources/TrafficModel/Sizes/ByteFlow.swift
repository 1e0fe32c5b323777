/// Bytes in both directions.
public struct ByteFlow: Hashable, Sendable {
    /// Bytes sent.
    public var up: ByteCount
    /// Bytes received.
    public var down: ByteCount

    /// A flow with those counts.
    public init(up: ByteCount = .zero, down: ByteCount = .zero) {
        self.up = up
        self.down = down
    }

    /// Zero bytes in both directions.
    public static let zero = ByteFlow()

    /// Both directions together.
    public var total: ByteCount { up + down }

    /// The sum of each direction.
    public static func + (left: ByteFlow, right: ByteFlow) -> ByteFlow {
        ByteFlow(up: left.up + right.up, down: left.down + right.down)
    }

    /// Adds each direction.
    public static func += (left: inout ByteFlow, right: ByteFlow) { left = left + right }
}
