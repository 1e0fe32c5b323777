/// What single calls weigh: the bytes of one exchange, its request and its response together.
///
/// A call is one exchange whose end was seen, also if it failed or was cancelled. It weighs what it adds to
/// ``TrafficSums/up`` and ``TrafficSums/down``: the parts of both messages whose size is known, without its share of the
/// connection. A redirect or a retry is a call of its own. As with durations, an unfinished exchange is not weighed, for
/// what is known of it may be too little: one that is still running, that was `abandoned`, or that the meter lost a part
/// of (`incomplete`).
///
/// Sums that an earlier version stored have no weights, unless each of their exchanges still had its row.
public struct CallWeights: Hashable, Sendable {
    /// Bytes of each call's request.
    public var up = ByteHistogram()
    /// Bytes of each call's response; 0 if there was none.
    public var down = ByteHistogram()
    /// Bytes of each call in both directions.
    public var total = ByteHistogram()

    /// Weights of no calls.
    public init() {}

    /// How many calls were weighed.
    public var count: Int64 { total.count }

    /// Records one call.
    public mutating func record(_ call: ByteFlow) {
        up.record(call.up)
        down.record(call.down)
        total.record(call.total)
    }

    /// Adds the weights of other calls.
    public mutating func merge(_ other: CallWeights) {
        up.merge(other.up)
        down.merge(other.down)
        total.merge(other.total)
    }

    /// The ways under their names in machine formats.
    package var named: [(name: String, histogram: ByteHistogram)] { [("up", up), ("down", down), ("total", total)] }
}
