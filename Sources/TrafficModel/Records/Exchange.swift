/// A request, and the response and end that followed, as an observer reported them.
///
/// A store returns a ``StoredExchange``.
public struct Exchange: Hashable, Sendable {
    /// The request.
    public var request: RequestRecord
    /// The response; nil if none came.
    public var response: ResponseRecord?
    /// The end; nil while the exchange runs.
    public var end: ExchangeEnd?

    /// An exchange of those records.
    public init(request: RequestRecord, response: ResponseRecord? = nil, end: ExchangeEnd? = nil) {
        self.request = request
        self.response = response
        self.end = end
    }
}
