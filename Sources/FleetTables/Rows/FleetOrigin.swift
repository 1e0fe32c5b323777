package import TrafficModel

/// Where a row comes from, and which batch brought it.
package struct FleetOrigin: Hashable, Sendable {
    /// The store that has the row: `service.instance.id`.
    package var installation = InstallationID(high: 0, low: 0)
    /// What was metered.
    package var resource = TrafficResource()
    /// The writer's run in the store.
    package var run: Int64 = 0
    /// The number of the batch; of rows with the same key, the one with the highest counts.
    package var revision: UInt64 = 0

    package init() {}
}

extension FieldVisitor where Self: ~Copyable, Row: FleetRow {
    /// The columns that all tables have.
    @inline(__always)
    mutating func origin() {
        uuid("installation", { $0.origin.installation }, { $0.origin.installation = $1 })
        label("service", { $0.origin.resource.service }, { $0.origin.resource.service = $1 })
        label("version", { $0.origin.resource.version }, { $0.origin.resource.version = $1 })
        label("environment", { $0.origin.resource.environment }, { $0.origin.resource.environment = $1 })
        label("host_name", { $0.origin.resource.hostName }, { $0.origin.resource.hostName = $1 })
        label("os", { $0.origin.resource.os }, { $0.origin.resource.os = $1 })
        label("os_version", { $0.origin.resource.osVersion }, { $0.origin.resource.osVersion = $1 })
        label("region", { $0.origin.resource.region }, { $0.origin.resource.region = $1 })
        label("carrier", { $0.origin.resource.carrier }, { $0.origin.resource.carrier = $1 })
        int64("run", { $0.origin.run }, { $0.origin.run = $1 })
        uint64("revision", { $0.origin.revision }, { $0.origin.revision = $1 })
    }
}
