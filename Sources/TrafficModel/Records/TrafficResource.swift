internal import ASCIIBytes

/// What is metered, by OpenTelemetry's names of resource attributes: the service, its version, where it runs.
///
/// A store keeps it with what it meters, so that the traffic of many installations can be compared. Attributes that are
/// not known are empty.
public struct TrafficResource: Hashable, Sendable {
    /// The name of the service or the app: `service.name`.
    public var service: String
    /// Its version: `service.version`.
    public var version: String
    /// Where it is deployed, such as `production`: `deployment.environment.name`.
    public var environment: String
    /// The machine: `host.name`.
    ///
    /// The name of a phone often contains that of its owner, so nothing sets it but you.
    public var hostName: String
    /// The operating system, such as `linux` or `darwin`: `os.type`.
    public var os: String
    /// The version of the operating system: `os.version`.
    public var osVersion: String
    /// The region in which it runs, such as `eu-central-1`: `cloud.region`.
    public var region: String
    /// The carrier over whose network it makes requests: `network.carrier.name`.
    ///
    /// No system that is metered reports it. It may change while the program runs.
    public var carrier: String

    /// A resource of these attributes.
    public init(
        service: String = "", version: String = "", environment: String = "", hostName: String = "", os: String = "",
        osVersion: String = "", region: String = "", carrier: String = ""
    ) {
        self.service = service
        self.version = version
        self.environment = environment
        self.hostName = hostName
        self.os = os
        self.osVersion = osVersion
        self.region = region
        self.carrier = carrier
    }

    /// The attributes in the variables `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, as OpenTelemetry reads them.
    ///
    /// - Parameter environment: the variables, such as `ProcessInfo.processInfo.environment`.
    public init(environment: [String: String]) {
        self.init()
        for pair in (environment["OTEL_RESOURCE_ATTRIBUTES"] ?? "").split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces }
            guard parts.count == 2, let place = Self.attributes.first(where: { $0.names.contains(parts[0]) }) else {
                continue
            }
            let value = ASCII.percentDecoded(Array(parts[1].utf8)[...])
            self[keyPath: place.path] = String(decoding: value, as: UTF8.self)
        }
        if let name = environment["OTEL_SERVICE_NAME"], !name.isEmpty { service = name }
    }

    /// The same, with the attributes of another resource where this one has none.
    public func completed(by other: TrafficResource) -> TrafficResource {
        var completed = self
        for (_, path) in Self.attributes where self[keyPath: path].isEmpty {
            completed[keyPath: path] = other[keyPath: path]
        }
        return completed
    }

    // The older name of the environment is still in use.
    private static let attributes: [(names: [String], path: any WritableKeyPath<TrafficResource, String> & Sendable)] =
        [
            (["service.name"], \.service), (["service.version"], \.version),
            (["deployment.environment.name", "deployment.environment"], \.environment), (["host.name"], \.hostName),
            (["os.type"], \.os), (["os.version"], \.osVersion), (["cloud.region"], \.region),
            (["network.carrier.name"], \.carrier),
        ]
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
