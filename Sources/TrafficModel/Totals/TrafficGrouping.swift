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

    /// The device that a proxy has served, by its address: its traffic has it in the place of the program.
    ///
    /// Sums of what was called have the name of the program that called.
    public static let device = TrafficGrouping("device")

    /// Direction: what was called, and what was served.
    public static let direction = TrafficGrouping("direction")

    /// Of a fleet: the name of the service, OpenTelemetry's `service.name`.
    public static let service = TrafficGrouping("service")
    /// Of a fleet: the version of the service, `service.version`.
    public static let version = TrafficGrouping("version")
    /// Of a fleet: where the service is deployed, `deployment.environment.name`.
    public static let environment = TrafficGrouping("environment")
    /// Of a fleet: the machine, `host.name`.
    public static let machine = TrafficGrouping("machine")
    /// Of a fleet: the operating system, `os.type`.
    public static let platform = TrafficGrouping("platform")
    /// Of a fleet: the installation, `service.instance.id`.
    public static let installation = TrafficGrouping("installation")

    /// Of a fleet: responses that something between the client and the server may have altered, by API, media type and
    /// the API's usual media type; all others are one group without a name.
    public static let hijacked = TrafficGrouping("hijacked")

    /// The groupings that only a fleet has: by where exchanges come from, and by what only many installations show.
    public static let fleetCases: [TrafficGrouping] = [
        .service, .version, .environment, .machine, .platform, .installation, .hijacked,
    ]

    /// All groupings that every store has.
    public static let allCases: [TrafficGrouping] = [
        .api, .host, .path, .status, .type, .method, .process, .device, .network, .direction,
    ]

    /// The name in machine formats.
    public let rawValue: String

    private init(_ name: String) { rawValue = name }

    /// The grouping of that name; nil if there is none.
    public init?(rawValue: String) {
        guard let known = (Self.allCases + Self.fleetCases).first(where: { $0.rawValue == rawValue }) else {
            return nil
        }
        self = known
    }

    /// The same as the raw value.
    public var description: String { rawValue }

    /// Whether the sums come from the rows that are still kept; those of all other groupings include everything.
    public var countsRows: Bool { self == .path || self == .network }
}
