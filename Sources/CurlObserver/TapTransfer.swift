internal import ConnectionAccounts
internal import TrafficModel

/// A running transfer, which is one exchange after the other.
final class TapTransfer {
    let handle: UInt64
    let direction: TrafficDirection
    let beganAt: UInt64
    /// Whether it has changes that were not sent yet.
    var hasChanged = false
    /// Whether it carries another protocol than HTTP.
    var isForeign = false
    @exclusivity(unchecked) var current: ObservedExchange?
    /// libcurl's clocks when the current exchange began; they add up over the attempts.
    @exclusivity(unchecked) var before = TapFrame.Times()
    @exclusivity(unchecked) var times = TapFrame.Times()
    var connectsBefore: Int64 = 0
    var headsBefore: Int64 = 0
    var attempts = 0
    /// The HTTP/2 stream of the next request.
    @exclusivity(unchecked) var nextStream: HTTP2StreamID?
    /// The exchange before the current one: all exchanges of one transfer belong to one task.
    @exclusivity(unchecked) var previous: (task: ExchangeID, attempt: Int)?

    init(handle: UInt64, direction: TrafficDirection = .called, beganAt: UInt64) {
        self.handle = handle
        self.direction = direction
        self.beganAt = beganAt
    }
}
