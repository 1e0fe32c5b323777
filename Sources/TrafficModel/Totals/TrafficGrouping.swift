/// What to add up by.
public enum TrafficGrouping: String, Sendable, CaseIterable {
    /// Method, host and URL template.
    case api
    /// Host.
    case host
    /// Method, host and path as sent.
    case path
    /// Status code; 0 where no answer came.
    case status
    /// Media type of the response; empty where there is none.
    case type
    /// Method.
    case method
    /// Name of the program that sent the request.
    case process
    /// The network that the connection goes over, by ``ConnectionNetwork/name``; empty where it is not known.
    case network

    /// Whether the sums come from the rows that are kept, and lack those that are not; all others are never thinned out.
    public var countsRows: Bool { self == .path || self == .network }
}
