/// The property by which exchanges are grouped and added up.
///
/// Exchanges of different directions are never added up: a host that was called and served has two totals.
///
/// Its raw value is the name in machine formats.
public struct TrafficGrouping: RawRepresentable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Method, host and URL template.
    public static let api = TrafficGrouping("api")
    /// Host.
    public static let host = TrafficGrouping("host")
    /// Method, host and path as sent.
    public static let path = TrafficGrouping("path")
    /// Status code; 0 if no response came.
    public static let status = TrafficGrouping("status")
    /// Media type of the response; empty if there is none.
    public static let type = TrafficGrouping("type")
    /// Method.
    public static let method = TrafficGrouping("method")
    /// Name of the metered program.
    public static let process = TrafficGrouping("process")
    /// The network that the connection goes over, by ``ConnectionNetwork/name``; empty if it is not known.
    public static let network = TrafficGrouping("network")

    /// Direction: what was called, and what was served.
    public static let direction = TrafficGrouping("direction")

    /// All groupings.
    public static let allCases: [TrafficGrouping] = [
        .api, .host, .path, .status, .type, .method, .process, .network, .direction,
    ]

    /// The name in machine formats.
    public let rawValue: String

    private init(_ name: String) { rawValue = name }

    /// The grouping of that name; nil if there is none.
    public init?(rawValue: String) {
        guard let known = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    /// The same as the raw value.
    public var description: String { rawValue }

    /// Whether the sums come from the rows that are still kept; those of all other groupings include everything.
    public var countsRows: Bool { self == .path || self == .network }
}
