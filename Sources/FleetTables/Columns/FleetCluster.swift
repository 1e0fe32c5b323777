/// A cluster of ClickHouse on which a fleet's tables are spread.
package struct FleetCluster: Hashable, Sendable {
    /// The name in the servers' configuration, `remote_servers`.
    package let name: String
    /// The database, which is on each server.
    package let database: String

    /// The cluster of that name; nil if a name has other characters than letters, digits, `_` and `-`.
    package init?(name: String, database: String) {
        func isName(_ text: String) -> Bool {
            let letters = UInt8(ascii: "a")...UInt8(ascii: "z"), digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let isKnown = text.utf8.allSatisfy {
                letters.contains($0 | 0x20) || digits.contains($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
            return isKnown && !text.isEmpty
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
