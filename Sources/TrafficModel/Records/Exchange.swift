/// A request with what came of it.
public struct Exchange: Hashable, Sendable {
    /// The request.
    public var request: RequestRecord
    /// The response; nil where none came.
    public var response: ResponseRecord?
    /// The end; nil while it runs.
    public var end: ExchangeEnd?

    /// An exchange of those records.
    public init(request: RequestRecord, response: ResponseRecord? = nil, end: ExchangeEnd? = nil) {
        self.request = request
        self.response = response
        self.end = end
    }
}
