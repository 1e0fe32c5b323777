internal import TrafficModel

/// A transfer that runs: one exchange after the other.
final class TapTransfer {
    let handle: UInt64
    let beganAt: UInt64
    /// Whether something has come of it that is not told yet.
    var isUntold = false
    /// Whether it speaks another protocol.
    var isForeign = false
    var current: ObservedExchange?
    /// libcurl's figures when the current exchange began; they add up over the hops.
    var before = TapFrame.Times()
    var times = TapFrame.Times()
    var connectsBefore: Int64 = 0
    var headsBefore: Int64 = 0
    var hops = 0
    /// The stream of HTTP/2 that the next request is sent on.
    var nextStream: ObservedExchange.Stream?
    /// The exchange before the current one: what libcurl sends in one transfer is one task.
    var previous: (task: ExchangeID, hop: Int)?

    init(handle: UInt64, beganAt: UInt64) {
        self.handle = handle
        self.beganAt = beganAt
    }
}
