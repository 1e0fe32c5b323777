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

    /// The name of the service, OpenTelemetry's `service.name`.
    public static let service = TrafficGrouping("service")
    /// The version of the service, `service.version`.
    public static let version = TrafficGrouping("version")
    /// Where the service is deployed, `deployment.environment.name`.
    public static let environment = TrafficGrouping("environment")
    /// The region in which the service runs, `cloud.region`.
    public static let region = TrafficGrouping("region")
    /// The carrier that the program has named, `network.carrier.name`.
    public static let carrier = TrafficGrouping("carrier")
    /// The machine, `host.name`.
    public static let machine = TrafficGrouping("machine")
    /// The operating system, `os.type`.
    public static let platform = TrafficGrouping("platform")
    /// The installation, `service.instance.id`.
    public static let installation = TrafficGrouping("installation")

    /// Of a fleet: responses that something between the client and the server may have altered, by API, media type and
    /// the API's usual media type; all others are one group without a name.
    public static let hijacked = TrafficGrouping("hijacked")

    /// The groupings by where exchanges come from, which the store says and not the exchanges.
    public static let sourceCases: [TrafficGrouping] = [
        .service, .version, .environment, .region, .carrier, .machine, .platform, .installation,
    ]

    /// The groupings that only a fleet has: by what only many installations show.
    public static let fleetCases: [TrafficGrouping] = [.hijacked]

    /// The groupings by what exchanges are; every store has them.
    public static let allCases: [TrafficGrouping] = [
        .api, .host, .path, .status, .type, .method, .process, .device, .network, .direction,
    ]

    /// All groupings, those of a fleet last.
    package static let everyCase = allCases + sourceCases + fleetCases

    /// The name in machine formats.
    public let rawValue: String

    private init(_ name: String) { rawValue = name }

    /// The grouping of that name; nil if there is none.
    public init?(rawValue: String) {
        guard let known = Self.everyCase.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = known
    }

    /// The same as the raw value.
    public var description: String { rawValue }

    /// Whether the sums come from the rows that are still kept; those of all other groupings include everything.
    ///
    /// A file counts its rows for all ``sourceCases``, too.
    public var countsRows: Bool { [.path, .network, .carrier].contains(self) }
}
