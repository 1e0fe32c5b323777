/// Conditions that select exchanges to read.
///
/// An exchange matches if it meets all conditions that are set.
public struct ExchangeFilter: Hashable, Sendable {
    /// The request began in this range.
    public var range = TimeRange.always
    /// The host: without a port it matches at every port; with one, as in `127.0.0.1:8080`, only at that port.
    public var host: String?
    /// The method, such as `GET`.
    public var method: String?
    /// The status is in this range; exchanges without a response do not match.
    public var status: ClosedRange<Int>?
    /// The media type begins with this, such as `image/`.
    public var contentType: String?
    /// The API: a URL template, or `METHOD template`, or `METHOD host template` with the host as reports name it.
    ///
    /// A host without a port stands for all of its ports if the default port of the scheme was not used.
    public var api: String?
    /// The path begins with this.
    public var path: String?
    /// Whether only exchanges that failed match: see ``Exchange/hasFailed``.
    public var failedOnly = false
    /// The exchange took longer than this number of nanoseconds.
    public var slowerThan: Int64?
    /// The exchange belongs to this task.
    public var task: StoredExchange.ID?
    /// The exchange used this connection.
    public var connection: StoredConnection.ID?
    /// The network: the name of an interface, or `loopback`, `cellular`, `expensive`, `constrained`,
    /// `multipath` or `proxied`.
    public var network: String?

    /// The exchange has this direction.
    public var direction: TrafficDirection?

    /// More conditions, as people write them.
    package var expression = FilterExpression()

    /// A filter that every exchange matches.
    public init() {}
}

/// The order in which to read.
public enum ExchangeOrder: Sendable {
    /// The oldest first.
    case oldestFirst
    /// The newest first.
    case newestFirst
}
