/// What an observer tells.
///
/// A record that was told before is replaced by a later one of the same exchange, so that a long upload or download can
/// be told while it runs and again when it is done.
public enum TrafficEvent: Hashable, Sendable {
    /// A request's head has been sent, or more of its body.
    case request(RequestRecord)
    /// A response's head has arrived, or more of its body. Its request was told before.
    case response(ResponseRecord)
    /// The exchange is over. Nothing is told of it afterwards.
    case end(ExchangeEnd)
    /// A connection was opened, used, or closed.
    case connection(ConnectionRecord)
    /// Something went over the wire that could not be told.
    case loss(TrafficLoss)
}

/// What could not be recorded, so that totals can say what they lack.
public struct TrafficLoss: Hashable, Sendable {
    /// Why it could not.
    public enum Reason: String, Sendable, CaseIterable {
        /// The buffer was full: the disk or the reader was slower than the traffic.
        case bufferFull = "buffer full"
        /// Events came that break the protocol between tap and observer.
        case malformed = "malformed event"
        /// A transfer could not be tapped.
        case untapped = "transfer not tapped"
        /// The store could not write a batch.
        case storeFailed = "store failed"
    }

    /// Why.
    public var reason: Reason
    /// How many events or transfers.
    public var count: Int64

    /// A loss of that many, for that reason.
    public init(reason: Reason, count: Int64) {
        self.reason = reason
        self.count = count
    }
}

/// Takes what observers tell.
///
/// Calls are synchronous and return at once; they may come from any thread.
public protocol TrafficSink: Sendable {
    /// Takes one event. Never blocks; what cannot be kept is counted as a ``TrafficLoss``.
    func record(_ event: TrafficEvent)
}
