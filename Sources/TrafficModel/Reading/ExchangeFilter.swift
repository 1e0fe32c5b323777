/// Which exchanges to read.
///
/// Conditions combine: all that are set must hold.
public struct ExchangeFilter: Hashable, Sendable {
    /// Requests that began in this range.
    public var range = TimeRange.always
    /// To this host, at any port; with a port, as in `127.0.0.1:8080`, to that one alone.
    public var host: String?
    /// With this method.
    public var method: String?
    /// With a status in this range; exchanges without a response do not match.
    public var status: ClosedRange<Int>?
    /// With a media type that begins with this, such as `image/`.
    public var contentType: String?
    /// Of this API: a URL template, or `METHOD template`, or `METHOD host template` with the host as reports name it.
    ///
    /// A host without a port stands for all of its ports where the scheme's own was not used.
    public var api: String?
    /// With a path that begins with this.
    public var path: String?
    /// That failed: see ``Exchange/hasFailed``.
    public var failedOnly = false
    /// That took longer than this many nanoseconds.
    public var slowerThan: Int64?
    /// Of this task.
    public var task: ExchangeID?
    /// That went over this connection.
    public var connection: ConnectionID?
    /// Over this network: the name of an interface, or `loopback`, `cellular`, `expensive`, `constrained` or `multipath`.
    public var network: String?

    /// A filter that lets everything through.
    public init() {}
}

/// From which end to read.
public enum ExchangeOrder: Sendable {
    /// The oldest first.
    case oldestFirst
    /// The newest first.
    case newestFirst
}
