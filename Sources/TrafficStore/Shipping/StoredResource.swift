import GRDB
package import TrafficModel

/// The resource of the exchanges from one on, until the next.
package struct StoredResource: Hashable, Sendable {
    /// The number of the first of these exchanges.
    package var firstExchange: Int64
    /// The run of the writer that added them.
    package var run: Int64
    /// What was metered.
    package var resource: TrafficResource

    /// Begins the exchanges of a run, in the open transaction.
    static func add(_ resource: TrafficResource, run: Int64, to database: Database) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO resource SELECT value, ?, ?, ?, ?, ?, ?, ? FROM meta WHERE key = 'next_exchange'
                """,
            arguments: [
                run, resource.service, resource.version, resource.environment, resource.hostName, resource.os,
                resource.osVersion,
            ])
    }

    /// All of a store, in order.
    static func all(_ database: Database) throws -> [StoredResource] {
        let rows = try PreparedStatement(
            database,
            """
            SELECT first_exchange, run, service, version, environment, host_name, os, os_version FROM resource ORDER BY 1
            """)
        var all: [StoredResource] = []
        while try rows.step() {
            all.append(
                StoredResource(
                    firstExchange: rows.int(0), run: rows.int(1),
                    resource: TrafficResource(
                        service: rows.text(2), version: rows.text(3), environment: rows.text(4),
                        hostName: rows.text(5), os: rows.text(6), osVersion: rows.text(7))))
        }
        return all
    }
}

extension StoreReader {
    /// The resources of a store, in the order of the exchanges that they belong to.
    package func resources() throws -> [StoredResource] { try read { database, _ in try StoredResource.all(database) } }

    /// The identity of this store in a fleet.
    package func installation() throws -> InstallationID {
        try read { database, _ in
            let text = try String.fetchOne(database, sql: "SELECT installation FROM identity") ?? ""
            guard let id = InstallationID(text) else {
                throw StoreError(
                    .corrupt, "the identity '\(text)' of the store '\(path)' is no UUID; meter into a new file")
            }
            return id
        }
    }
}
