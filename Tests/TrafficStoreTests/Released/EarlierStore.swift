import GRDB

@testable import TrafficStore

/// Makes files as earlier versions wrote them whose exchanges have plain columns.
enum EarlierStore {
    /// Writes those tables of a store that an earlier version has, too, into a new file of that version.
    ///
    /// - Parameters:
    ///   - newer: the store.
    ///   - path: the new file.
    ///   - migration: the last one that the new file has had: `plain-columns` or a later one.
    ///   - change: SQL to run in the new file.
    /// - Throws: an error of SQLite.
    static func make(from newer: String, at path: String, upTo migration: String, change: String = "") throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA application_id = \(StoreSchema.applicationID)")
        }
        try StoreSchema.migrator.migrate(queue, upTo: migration)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "ATTACH ? AS newer", arguments: [newer])
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM main.sqlite_schema
                    WHERE type = 'table' AND name <> 'grdb_migrations'
                        AND name IN (SELECT name FROM newer.sqlite_schema)
                    """)
            for table in tables {
                // Without columns that are computed.
                let columns = try String.fetchAll(
                    database, sql: "SELECT name FROM pragma_table_info(?, 'main')", arguments: [table]
                ).joined(separator: ", ")
                try database.execute(
                    sql: "INSERT OR REPLACE INTO main.\(table)(\(columns)) SELECT \(columns) FROM newer.\(table)")
            }
            try database.execute(sql: change)
            _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
        }
        try queue.close()
    }
}
