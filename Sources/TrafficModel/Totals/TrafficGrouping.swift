/// The property by which exchanges are grouped and added up.
public enum TrafficGrouping: String, Sendable, CaseIterable {
    /// Method, host and URL template.
    case api
    /// Host.
    case host
    /// Method, host and path as sent.
    case path
    /// Status code; 0 if no response came.
    case status
    /// Media type of the response; empty if there is none.
    case type
    /// Method.
    case method
    /// Name of the program that sent the request.
    case process
    /// The network that the connection goes over, by ``ConnectionNetwork/name``; empty if it is not known.
    case network

    /// Whether the sums come from the rows that are still kept; those of all other groupings include everything.
    public var countsRows: Bool { self == .path || self == .network }
}
