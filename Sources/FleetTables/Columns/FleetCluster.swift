internal import ASCIIBytes

/// A cluster of ClickHouse on which a fleet's tables are spread.
package struct FleetCluster: Hashable, Sendable {
    /// The name in the servers' configuration, `remote_servers`.
    package let name: String
    /// The database, which is on each server.
    package let database: String

    /// The cluster of that name; nil if a name has other characters than letters, digits, `_` and `-`.
    package init?(name: String, database: String) {
        func isName(_ text: String) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "_-".utf8.contains($0) }
        }
        guard isName(name), isName(database) else { return nil }
        self.name = name
        self.database = database
    }

    /// The table of a shard's own rows; the table of that name without the end has those of all shards.
    package static func shardTable(_ table: String) -> String { table + "_shard" }

    /// The name of a table for any server of the cluster.
    func qualified(_ table: String) -> String { "`\(database)`.\(table)" }
}
