/// Where a row comes from, by OpenTelemetry's resource attributes, and which batch brought it.
package struct FleetOrigin: Hashable, Sendable {
    /// The store that has the row: `service.instance.id`.
    package var installation = InstallationID(high: 0, low: 0)
    /// `service.name`.
    package var service = ""
    /// `service.version`.
    package var version = ""
    /// `deployment.environment.name`.
    package var environment = ""
    /// `host.name`: the machine.
    package var hostName = ""
    /// `os.type`, such as `linux`.
    package var os = ""
    /// `os.version`.
    package var osVersion = ""
    /// The writer's run in the store.
    package var run: Int64 = 0
    /// The number of the batch; of rows with the same key, the one with the highest counts.
    package var revision: UInt64 = 0

    package init() {}
}

extension FieldList where Row: FleetRow {
    /// The columns that all tables have.
    mutating func origin() {
        uuid("installation", { $0.origin.installation }, { $0.origin.installation = $1 })
        label("service", { $0.origin.service }, { $0.origin.service = $1 })
        label("version", { $0.origin.version }, { $0.origin.version = $1 })
        label("environment", { $0.origin.environment }, { $0.origin.environment = $1 })
        label("host_name", { $0.origin.hostName }, { $0.origin.hostName = $1 })
        label("os", { $0.origin.os }, { $0.origin.os = $1 })
        label("os_version", { $0.origin.osVersion }, { $0.origin.osVersion = $1 })
        int64("run", { $0.origin.run }, { $0.origin.run = $1 })
        uint64("revision", { $0.origin.revision }, { $0.origin.revision = $1 })
    }
}
