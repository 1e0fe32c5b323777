/// What an observer reports.
///
/// A record replaces an earlier one of the same exchange. So an observer can report a long upload or download while it
/// runs, and again when it is done.
public enum TrafficEvent: Hashable, Sendable {
    /// A request's headers have been sent, or more of its body.
    case request(RequestRecord)
    /// A response's headers have arrived, or more of its body. Its request was reported before.
    case response(ResponseRecord)
    /// The exchange has ended. No event of it follows.
    case end(ExchangeEnd)
    /// A connection was opened, used, or closed.
    case connection(ConnectionRecord)
    /// Something passed over the wire that could not be reported.
    case loss(TrafficLoss)
    /// A device that a proxy serves is known by a name; it replaces an earlier one of the same source.
    case device(DeviceName)
    /// A lookup of a name has ended.
    case lookup(LookupRecord)
    /// Exchanges that begin from now on go over the network of the carrier with that name; empty if none is known.
    case carrier(String)
}

/// What could not be recorded, so that totals can show what they lack.
public struct TrafficLoss: Hashable, Sendable {
    /// The reason of a loss.
    ///
    /// Its raw value is the name in machine formats and in files, which may have reasons of later versions.
    public struct Reason: RawRepresentable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The name in machine formats.
        public let rawValue: String

        /// The reason of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The buffer was full: the disk or the reader was slower than the traffic.
        public static let bufferFull = Reason(rawValue: "buffer full")
        /// Events arrived that violate the protocol between tap and observer.
        public static let malformed = Reason(rawValue: "malformed event")
        /// A transfer could not be tapped.
        public static let untapped = Reason(rawValue: "transfer not tapped")
        /// The store could not write a batch.
        public static let storeFailed = Reason(rawValue: "store failed")

        /// The reasons that this version has.
        public static let allCases: [Reason] = [.bufferFull, .malformed, .untapped, .storeFailed]

        /// The same as the raw value.
        public var description: String { rawValue }
    }

    /// The reason.
    public var reason: Reason
    /// The number of events or transfers that were lost.
    public var count: Int64

    /// A loss of `count` events or transfers for that reason.
    public init(reason: Reason, count: Int64) {
        self.reason = reason
        self.count = count
    }
}

/// Takes the events of observers.
///
/// Calls are synchronous and return at once; they may come from any thread.
public protocol TrafficSink: Sendable {
    /// Takes one event. Never blocks; an event that cannot be kept is counted as a ``TrafficLoss``.
    func record(_ event: TrafficEvent)
}
