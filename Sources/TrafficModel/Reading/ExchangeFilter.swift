/// Which exchanges to read.
///
/// Conditions combine: all that are set must hold.
public struct ExchangeFilter: Hashable, Sendable {
    /// Requests that began in this range.
    public var range = TimeRange.always
    /// To this host.
    public var host: String?
    /// With this method.
    public var method: String?
    /// With a status in this range; exchanges without a response do not match.
    public var status: ClosedRange<Int>?
    /// With a media type that begins with this, such as `image/`.
    public var contentType: String?
    /// Of this API: a URL template, or `METHOD template`, or `METHOD host template`.
    public var api: String?
    /// With a path that begins with this.
    public var path: String?
    /// That ended other than completed, or were answered with a status of 400 or more.
    public var failedOnly = false
    /// That took longer than this many nanoseconds.
    public var slowerThan: Int64?
    /// Of this task.
    public var task: ExchangeID?
    /// That went over this connection.
    public var connection: ConnectionID?

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
