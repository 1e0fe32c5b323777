/// An exchange as a store has it: its records, and the numbers of its rows.
public struct StoredExchange: Hashable, Sendable, Identifiable {
    /// The number of an exchange in a store.
    ///
    /// Numbers increase in the order in which the store learned of the exchanges. They are not those of the
    /// events, which are an ``ExchangeID``.
    public struct ID: Hashable, Sendable, Comparable, CustomStringConvertible {
        /// The number.
        public let rawValue: Int64

        /// The exchange of that number.
        public init(_ rawValue: Int64) { self.rawValue = rawValue }

        /// Whether the store learned of the left exchange earlier.
        public static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }

        /// The digits.
        public var description: String { String(rawValue) }
    }

    /// The number of the exchange.
    public var id: ID
    /// The first exchange of the chain of redirects and authentication retries that this one belongs to; its own number
    /// if it is the first.
    public var task: ID
    /// The connection that carried it; nil if none was made, and while the exchange runs.
    public var connection: StoredConnection.ID?
    /// The request.
    ///
    /// The numbers in this record and in the other two are ``ExchangeID/notKept`` and ``ConnectionID/notKept``.
    public var request: RequestRecord
    /// The response; nil if none came.
    public var response: ResponseRecord?
    /// The end; nil while the exchange runs.
    public var end: ExchangeEnd?

    /// An exchange of those records under those numbers.
    public init(
        id: ID, task: ID, connection: StoredConnection.ID?, request: RequestRecord, response: ResponseRecord? = nil,
        end: ExchangeEnd? = nil
    ) {
        self.id = id
        self.task = task
        self.connection = connection
        self.request = request
        self.response = response
        self.end = end
    }

    /// The records without the numbers of the rows, such as for ``TrafficTotal/add(_:)``.
    public var records: Exchange { Exchange(request: request, response: response, end: end) }

    /// Whether the exchange failed: see ``Exchange/hasFailed``.
    public var hasFailed: Bool { FailedExchange.isIt(status: response?.status ?? 0, outcome: end?.outcome) }

    /// The duration in nanoseconds: see ``Exchange/duration``.
    public var duration: Int64? { end?.duration(since: request.startedAt) }
}
